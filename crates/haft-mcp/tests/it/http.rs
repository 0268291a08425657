//! Servers at an address: headers, errors, and addresses without an MCP server.

use haft_core::{ToolErrorKind, ToolInput};
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The answers of a small stateless server.
fn answer(request: &CapturedRequest) -> Reply {
    if request.method != "POST" {
        return Reply::text("").with_status(405);
    }
    let result = match request.body["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stub", "version": "1"}
        }),
        "tools/list" => json!({"tools": [
            {"name": "turn_on", "description": "Turns it on", "inputSchema": {"type": "object"}}
        ]}),
        "tools/call" => json!({"content": [
            {"type": "text", "text": request.body["params"]["arguments"].to_string()}
        ]}),
        _ => return Reply::new("application/json", "").with_status(202),
    };
    Reply::json(json!({"jsonrpc": "2.0", "id": request.body["id"], "result": result}))
}

async fn start(server: Value) -> McpServers {
    let text = json!({"mcpServers": {"home": server}}).to_string();
    let mut options = McpOptions::default();
    options.waits = vec![Duration::ZERO];
    McpServers::start_with(&McpConfig::parse(&text, "test.json").unwrap(), options).await
}

fn failure(servers: &McpServers) -> String {
    assert!(servers.tools().is_empty());
    servers.failures()[0].to_string()
}

#[tokio::test]
async fn tools_are_called_with_the_configured_headers() {
    let server = ScriptedServer::with(answer).await;
    let servers = start(json!({
        "type": "streamable-http",
        "url": format!("{}/mcp", server.url()),
        "headers": {"Authorization": "Bearer s3cret", "X-Home": "main"}
    }))
    .await;
    assert_eq!(servers.failures(), []);
    assert_eq!(servers.statuses()[0].transport, "http");
    let tools = servers.tools();
    let input: serde_json::Map<_, _> =
        serde_json::from_value(json!({"deviceName": "lamp"})).unwrap();
    let output = tools[0].invoke(ToolInput::from(input)).await.unwrap();
    assert_eq!(output.value, r#"{"deviceName":"lamp"}"#);
    let requests = server.requests();
    assert!(requests.len() >= 4);
    for request in requests {
        assert_eq!(request.path, "/mcp");
        assert_eq!(request.header("authorization"), Some("Bearer s3cret"));
        assert_eq!(request.header("x-home"), Some("main"));
    }
    servers.shutdown().await;
}

#[tokio::test]
async fn a_refusal_asks_for_a_key_and_repeats_none() {
    for challenge in [true, false] {
        let server = ScriptedServer::with(move |_| {
            let reply = Reply::json(json!({"error": "who are you"})).with_status(401);
            if challenge {
                reply.with_header("www-authenticate", "Bearer")
            } else {
                reply
            }
        })
        .await;
        let servers = start(json!({
            "url": format!("{}/mcp?key=s3cret", server.url()), "headers": {"X-Key": "s3cret"}
        }))
        .await;
        let expected = format!(
            "MCP server \"home\": {}/mcp answered HTTP 401 (Unauthorized)",
            server.url()
        );
        assert_eq!(failure(&servers), expected);
        assert!(
            servers.failures()[0]
                .hint
                .as_deref()
                .unwrap()
                .contains("Authorization")
        );
        assert!(!format!("{servers:?}").contains("s3cret"));
    }
}

#[tokio::test]
async fn an_address_without_an_mcp_server_is_reported() {
    let server = ScriptedServer::with(|_| Reply::text("<h1>Welcome</h1>")).await;
    let servers = start(json!({"url": server.url()})).await;
    assert!(
        failure(&servers).contains("does not speak MCP"),
        "{}",
        failure(&servers)
    );

    let server = ScriptedServer::with(|_| Reply::text("no such page").with_status(404)).await;
    let servers = start(json!({"url": server.url()})).await;
    assert!(
        failure(&servers).contains("answered HTTP 404 (Not Found)"),
        "{}",
        failure(&servers)
    );

    let server = ScriptedServer::with(|_| Reply::text("busy").with_status(503)).await;
    let servers = start(json!({"url": server.url()})).await;
    assert!(
        failure(&servers).contains("answered HTTP 503 (Service Unavailable)"),
        "{}",
        failure(&servers)
    );
}

#[tokio::test]
async fn a_closed_port_is_reported_without_the_secrets_of_its_address() {
    let url = ScriptedServer::with(answer).await.url().to_owned();
    let servers = start(json!({"url": format!("{url}/mcp?key=s3cret")})).await;
    assert_eq!(
        failure(&servers),
        format!("MCP server \"home\": nothing answers at {url}/mcp: connection refused")
    );
}

#[tokio::test]
async fn a_reserved_header_is_reported() {
    let server = ScriptedServer::with(answer).await;
    let servers = start(json!({"url": server.url(), "headers": {"Accept": "text/html"}})).await;
    assert!(failure(&servers).contains("\"accept\" belongs to the protocol"));
}

#[tokio::test]
async fn headers_do_not_follow_to_another_origin() {
    let other = ScriptedServer::with(answer).await;
    let target = format!("{}/mcp", other.url());
    let server = ScriptedServer::with(move |_| {
        Reply::text("")
            .with_status(307)
            .with_header("location", &target)
    })
    .await;
    let servers = start(json!({"url": server.url(), "headers": {"X-Key": "s3cret"}})).await;
    assert!(
        failure(&servers).contains("answered HTTP 307"),
        "{}",
        failure(&servers)
    );
    assert_eq!(other.requests(), []);

    // A redirect on the same origin is followed.
    let server = ScriptedServer::with(|request| {
        if request.path == "/mcp" {
            Reply::text("")
                .with_status(307)
                .with_header("location", "/mcp/")
        } else {
            answer(request)
        }
    })
    .await;
    let servers = start(json!({"url": format!("{}/mcp", server.url())})).await;
    assert_eq!(servers.failures(), []);
}

#[tokio::test]
async fn a_lost_server_is_reported_without_secrets() {
    let server = ScriptedServer::with(answer).await;
    let servers = start(json!({"url": format!("{}/mcp?key=s3cret", server.url())})).await;
    let tools = servers.tools();
    drop(server);
    let error = tools[0].invoke(ToolInput::default()).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Network);
    // The open connection breaks, and a new one is refused.
    let start = "The tool server home cannot be reached: ";
    assert!(error.message().starts_with(start), "{}", error.message());
    assert!(!error.message().contains("s3cret"), "{}", error.message());
    assert!(!error.detail().contains("s3cret"), "{}", error.detail());
}

#[tokio::test]
async fn a_server_that_breaks_while_it_lists_is_reported_without_secrets() {
    let server = ScriptedServer::with(|request| {
        if request.body["method"] == "tools/list" {
            Reply::json(json!({})).then_cut()
        } else {
            answer(request)
        }
    })
    .await;
    let servers = start(json!({"url": format!("{}/mcp?key=s3cret", server.url())})).await;
    let failure = failure(&servers);
    assert!(!failure.contains("s3cret"), "{failure}");
    assert!(failure.ends_with("/mcp broke"), "{failure}");
}

#[tokio::test]
async fn a_status_during_a_call_is_named() {
    let server = ScriptedServer::with(|request| {
        if request.body["method"] == "tools/call" {
            Reply::text("s3cret").with_status(403)
        } else {
            answer(request)
        }
    })
    .await;
    let servers = start(json!({"url": format!("{}/mcp?key=s3cret", server.url())})).await;
    let error = servers.tools()[0].invoke(ToolInput::default()).await;
    let error = error.unwrap_err();
    let expected = "The tool server home cannot be reached: \
        the server answered HTTP 403 (Forbidden)";
    assert_eq!(error.message(), expected);
}

#[tokio::test]
async fn each_status_has_a_hint_that_fits() {
    for (status, reason, hint) in [
        (401, "Unauthorized", "Authorization"),
        (403, "Forbidden", "a key that may use it"),
        (404, "Not Found", "usually ends in /mcp"),
        (405, "Method Not Allowed", "usually ends in /mcp"),
        (500, "Internal Server Error", "what the server logs"),
    ] {
        let server = ScriptedServer::with(move |_| Reply::text("no").with_status(status)).await;
        let servers = start(json!({"url": server.url()})).await;
        let expected = format!("answered HTTP {status} ({reason})");
        assert!(failure(&servers).contains(&expected), "{servers:?}");
        let shown = servers.failures()[0].hint.as_deref().unwrap();
        assert!(shown.contains(hint), "{status}: {shown}");
    }
}

#[tokio::test]
async fn an_unknown_host_is_reported() {
    let servers = start(json!({"url": "http://no-such-host.invalid/mcp?key=s3cret"})).await;
    assert_eq!(
        failure(&servers),
        "MCP server \"home\": nothing answers at http://no-such-host.invalid/mcp: \
         there is no such host"
    );
}

/// Answers every connection with `reply`.
async fn raw_server(reply: &'static [u8]) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let mut start = [0; 64];
            let _ = connection.read(&mut start).await;
            let _ = connection.write_all(reply).await;
        }
    });
    port
}

#[tokio::test]
async fn an_address_that_does_not_speak_tls_is_reported() {
    let port = raw_server(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await;
    let url = format!("https://127.0.0.1:{port}/mcp");
    let servers = start(json!({"url": format!("{url}?key=s3cret")})).await;
    assert_eq!(
        failure(&servers),
        format!("MCP server \"home\": what answers at {url} does not speak TLS")
    );
    let hint = servers.failures()[0].hint.as_deref().unwrap();
    assert!(hint.contains("http://"), "{hint}");
}

/// A TLS server with a self-signed certificate.
fn untrusted_server() -> u16 {
    let certificate = include_bytes!("untrusted_certificate.pem");
    let certificate = CertificateDer::from_pem_slice(certificate).unwrap();
    let key = include_bytes!("untrusted_key.pem");
    let key = PrivateKeyDer::from_pem_slice(key).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut connection in listener.incoming().map_while(Result::ok) {
            let mut server = ServerConnection::new(Arc::clone(&config)).unwrap();
            // The client aborts the handshake.
            while server.is_handshaking() && server.complete_io(&mut connection).is_ok() {}
        }
    });
    port
}

#[tokio::test]
async fn an_untrusted_certificate_is_reported() {
    let url = format!("https://localhost:{}/mcp", untrusted_server());
    let servers = start(json!({"url": format!("{url}?key=s3cret")})).await;
    let message = failure(&servers);
    let expected = format!("the TLS certificate of {url} is not trusted: ");
    assert!(message.contains(&expected), "{message}");
    assert!(!message.contains("s3cret"), "{message}");
    let hint = servers.failures()[0].hint.as_deref().unwrap();
    assert!(hint.contains("trust the issuer"), "{hint}");
}

/// A server with the newer protocol, which requires its version in every request.
fn modern(request: &CapturedRequest) -> Reply {
    if request.method != "POST" {
        return Reply::text("").with_status(405);
    }
    let version = &request.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    if version != "2026-07-28" {
        let error = json!({"code": -32022, "message": "which version?",
                           "data": {"supported": ["2026-07-28"], "requested": "?"}});
        let error = json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error});
        return Reply::json(error).with_status(400);
    }
    let result = match request.body["method"].as_str().unwrap_or_default() {
        "server/discover" => json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private",
            "serverInfo": {"name": "stub", "version": "2"}
        }),
        "tools/list" => json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "tools": [{"name": "turn_on", "inputSchema": {"type": "object"}}]
        }),
        _ => json!({"resultType": "complete", "content": [{"type": "text", "text": "on"}]}),
    };
    Reply::json(json!({"jsonrpc": "2.0", "id": request.body["id"], "result": result}))
}

#[tokio::test]
async fn the_newer_protocol_is_tried_first() {
    let server = ScriptedServer::with(modern).await;
    let servers = start(json!({
        "url": format!("{}/mcp", server.url()), "headers": {"Authorization": "Bearer s3cret"}
    }))
    .await;
    assert_eq!(servers.failures(), []);
    let output = servers.tools()[0]
        .invoke(ToolInput::default())
        .await
        .unwrap();
    assert_eq!(output.value, "on");
    let requests = server.requests();
    let methods: Vec<&Value> = requests
        .iter()
        .map(|request| &request.body["method"])
        .collect();
    assert!(!methods.contains(&&json!("initialize")), "{methods:?}");
    for request in &requests {
        assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"));
        assert_eq!(request.header("authorization"), Some("Bearer s3cret"));
    }
    let call = requests.last().unwrap();
    assert_eq!(call.header("mcp-method"), Some("tools/call"));
    assert_eq!(call.header("mcp-name"), Some("turn_on"));
}

#[tokio::test]
async fn a_legacy_server_is_used_with_the_legacy_protocol() {
    // Servers built with the official libraries reject unknown requests like this.
    for status in [400, 404, 405, 200] {
        let server = ScriptedServer::with(move |request| {
            if request.body["method"] == "server/discover" {
                let error = json!({"code": -32000, "message": "Bad Request: no session"});
                let error = json!({"jsonrpc": "2.0", "id": null, "error": error});
                return Reply::json(error).with_status(status);
            }
            answer(request)
        })
        .await;
        let servers = start(json!({"url": format!("{}/mcp", server.url())})).await;
        assert_eq!(servers.failures(), [], "{status}");
        let requests = server.requests();
        let initialize = requests
            .iter()
            .find(|request| request.body["method"] == "initialize");
        let version = &initialize.unwrap().body["params"]["protocolVersion"];
        assert_eq!(version, "2025-11-25", "{status}");
    }
}

#[tokio::test]
async fn the_protocol_of_an_address_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let server = ScriptedServer::with(answer).await;
    let text = json!({"mcpServers": {"home": {"url": format!("{}/mcp", server.url())}}});
    let config = McpConfig::parse(&text.to_string(), "test.json").unwrap();
    let mut options = McpOptions::default();
    options.cache = Some(folder.path().join("cache"));
    let servers = McpServers::start_with(&config, options.clone()).await;
    let discovers = || {
        let requests = server.requests();
        let asked = requests
            .iter()
            .filter(|request| request.body["method"] == "server/discover");
        asked.count()
    };
    assert_eq!(discovers(), 1);
    servers.shutdown().await;
    let servers = McpServers::start_with(&config, options).await;
    assert!(servers.statuses()[0].from_cache);
    servers.tools()[0]
        .invoke(ToolInput::default())
        .await
        .unwrap();
    assert_eq!(discovers(), 1);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_an_error() {
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let bodies = [
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"ty"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{{"structuredContent":{deep}}}}}"#),
        r#"{"jsonrpc":"2.0","id":ID}"#.to_owned(),
        "<h1>Welcome</h1>".to_owned(),
        String::new(),
    ];
    for body in bodies {
        for is_stream in [false, true] {
            let text = body.clone();
            let server = ScriptedServer::with(move |request| {
                if request.body["method"] != "tools/call" {
                    return answer(request);
                }
                let text = text.replace("ID", &request.body["id"].to_string());
                if is_stream {
                    Reply::new("text/event-stream", format!("data: {text}\n\n"))
                } else {
                    Reply::new("application/json", text)
                }
            })
            .await;
            let url = format!("{}/mcp", server.url());
            let text = json!({"mcpServers": {"home": {"url": url}}}).to_string();
            let mut options = McpOptions::default();
            options.call_timeout = Duration::from_secs(20);
            let config = McpConfig::parse(&text, "test.json").unwrap();
            let servers = McpServers::start_with(&config, options).await;
            let call = servers.tools()[0].invoke(ToolInput::default()).await;
            // A timeout would be another kind of error.
            let kind = call.unwrap_err().kind();
            assert_eq!(kind, ToolErrorKind::Network, "{is_stream} {body:.60}");
        }
    }
}

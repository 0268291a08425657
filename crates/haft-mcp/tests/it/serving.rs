//! haft as an MCP server, used by a host in the same process: progress and cancellation of calls.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft_core::ToolError;
use haft_mcp::ToolServer;
use haft_tools::{ToolExecutor, ToolManager, report_progress, tool};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest,
    ProgressNotificationParam, ServerResult,
};
use rmcp::service::{
    NotificationContext, PeerRequestOptions, RequestHandle, RoleClient, RunningService,
};
use rmcp::{ClientHandler, ServiceExt};

/// Longer than any step here takes on a busy machine.
const SOON: Duration = Duration::from_secs(30);

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

/// Records the progress that is reported to it.
#[derive(Clone, Debug, Default)]
struct Host(Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Host {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push(params);
    }
}

/// Sets its flag when dropped.
#[derive(Clone, Default)]
struct Dropped(Arc<AtomicBool>);

struct Guard(Dropped);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A server with one tool that reports progress three times, and one that never ends.
async fn connected(host: Host, dropped: Dropped) -> RunningService<RoleClient, Host> {
    let mut tools = ToolManager::new();
    let steps = tool("steps", "Three steps", |_: Nothing| async {
        for _ in 0..3 {
            report_progress();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok::<_, ToolError>("there")
    });
    let endless = tool("endless", "Never ends", move |_: Nothing| {
        let guard = Guard(dropped.clone());
        async move {
            std::future::pending::<()>().await;
            drop(guard);
            Ok::<_, ToolError>("never")
        }
    });
    tools.add(steps).unwrap();
    tools.add(endless).unwrap();
    let server = ToolServer::new(ToolExecutor::new(tools));
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let running = server.serve(tokio::io::split(theirs)).await.unwrap();
        running.waiting().await
    });
    host.serve(tokio::io::split(ours)).await.unwrap()
}

async fn called(host: &RunningService<RoleClient, Host>, tool: &str) -> RequestHandle<RoleClient> {
    let params = CallToolRequestParams::new(tool.to_owned());
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let options = PeerRequestOptions::no_options();
    let sent = host.peer().send_request_with_option(request, options);
    sent.await.unwrap()
}

#[tokio::test]
async fn a_host_receives_progress_notifications() {
    let host = Host::default();
    let running = connected(host.clone(), Dropped::default()).await;
    let call = called(&running, "steps").await;
    let token = call.progress_token.clone();
    let answer = tokio::time::timeout(SOON, call.rx).await.unwrap();
    let ServerResult::CallToolResult(result) = answer.unwrap().unwrap() else {
        panic!("a call has a result")
    };
    assert_eq!(result.content[0].as_text().unwrap().text, "there");
    let reports = host.0.lock().unwrap().clone();
    assert!(
        reports
            .iter()
            .all(|reports| reports.progress_token == token)
    );
    let reports: Vec<f64> = reports.iter().map(|reports| reports.progress).collect();
    assert_eq!(reports, [1.0, 2.0, 3.0]);
}

#[tokio::test]
async fn a_call_that_the_host_cancels_is_dropped() {
    let dropped = Dropped::default();
    let running = connected(Host::default(), dropped.clone()).await;
    let call = called(&running, "endless").await;
    // Another call is answered meanwhile, so the first one is running.
    let other = called(&running, "steps").await;
    tokio::time::timeout(SOON, other.rx)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert!(!dropped.0.load(Ordering::Relaxed));
    let reason = Some("nobody waits any more".to_owned());
    let notice = CancelledNotificationParam::new(Some(call.id), reason);
    running.peer().notify_cancelled(notice).await.unwrap();
    let gone = async {
        while !dropped.0.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, gone).await.unwrap();
    // The connection still works.
    let other = called(&running, "steps").await;
    tokio::time::timeout(SOON, other.rx)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
}

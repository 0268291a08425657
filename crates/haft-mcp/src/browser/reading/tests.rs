use haft_core::{Tool, ToolOutput};
use haft_testing::SpyTool;
use serde_json::json;

use super::*;

fn reading(names: &[&str]) -> (ToolExecutor, Vec<Arc<SpyTool>>) {
    let spy = |name: &&str| Arc::new(SpyTool::new(name, |_| Ok(ToolOutput::from("seen"))));
    let spies: Vec<Arc<SpyTool>> = names.iter().map(spy).collect();
    let mut tools = ToolManager::new();
    for spy in &spies {
        tools.add(spy.clone() as Arc<dyn Tool>).unwrap();
    }
    let found = SearchResult {
        url: "https://example.org/boat".to_owned(),
        ..SearchResult::default()
    };
    (reader(tools, &[found]), spies)
}

#[tokio::test]
async fn pages_are_opened_only_on_hosts_that_the_search_found() {
    let (reader, spies) = reading(&[OPENING]);
    let opening = |url: &str| ToolCall::new(OPENING, json!({"url": url}), "1");
    let opened = opening("https://example.org/other?page=2");
    assert_eq!(reader.execute(&opened).await.unwrap().value, "seen");
    for url in [
        "https://evil.example/?q=secret",
        "https://example.org.evil.example/",
        "https://example.org@evil.example/",
        "https://example.org:8443/",
        "http://127.0.0.1/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "example.org",
        "",
    ] {
        let error = reader.execute(&opening(url)).await.unwrap_err();
        assert!(
            error.to_string().contains("are opened: example.org."),
            "{url}: {error}"
        );
    }
    assert_eq!(spies[0].seen().len(), 1);
}

#[tokio::test]
async fn tools_that_act_on_a_page_are_refused() {
    let names = [
        "browser_type",
        "browser_evaluate",
        "browser_file_upload",
        "browser_click",
    ];
    let (reader, spies) = reading(&names);
    for (name, spy) in names.into_iter().zip(&spies) {
        let call = ToolCall::new(name, json!({}), "1");
        let error = reader.execute(&call).await.unwrap_err();
        assert!(error.to_string().contains("only read"), "{error}");
        assert!(spy.seen().is_empty());
    }
}

use std::io::Write;
use std::path::Path;

use futures_util::TryStreamExt;
use haft_core::{ModelError, ModelErrorKind};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::Cassette;
use crate::http::{Api, Framing, Request, body_of, endpoint};

fn file(lines: &[Value]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    for line in lines {
        writeln!(file, "{line}\n").unwrap();
    }
    file
}

fn exchange(request: &Value, response: &str) -> Value {
    json!({"api": "openai-chat", "status": 200, "request": request, "response": response})
}

fn ask(api: &'static Api, body: &Value) -> Request {
    let url = endpoint("http://127.0.0.1", "v1").unwrap();
    Request::post(api, url, body_of(body).unwrap(), Framing::Sse)
}

async fn answer(cassette: &Cassette, body: Value) -> Result<String, ModelError> {
    let response = cassette.answer(&ask(crate::openai::API, &body))?;
    let pieces: Vec<_> = response.body.try_collect().await?;
    Ok(String::from_utf8(pieces.concat()).unwrap())
}

#[tokio::test]
async fn equal_requests_get_their_replies_in_order_and_no_more() {
    let (a, b) = (json!({"q": "a"}), json!({"q": "b"}));
    let lines = [exchange(&a, "1"), exchange(&b, "2"), exchange(&a, "3")];
    let cassette = Cassette::load(file(&lines).path()).unwrap();
    assert_eq!(answer(&cassette, a.clone()).await.unwrap(), "1");
    assert_eq!(answer(&cassette, a.clone()).await.unwrap(), "3");
    assert_eq!(answer(&cassette, b).await.unwrap(), "2");
    let error = answer(&cassette, a).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ReplayDrift);
    assert!(error.to_string().contains("2 times"), "{error}");
}

#[tokio::test]
async fn a_drift_names_the_place_and_both_values_of_the_nearest_request() {
    let near = json!({"model": "m", "messages": [{"content": "Oslo?"}], "stream": true});
    let far = json!({"model": "other", "messages": [], "stream": false});
    let cassette = Cassette::load(file(&[exchange(&far, ""), exchange(&near, "")]).path()).unwrap();
    let mut asked = near.clone();
    asked["messages"][0]["content"] = json!("Rome?");
    let error = answer(&cassette, asked).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ReplayDrift);
    let text = error.to_string();
    assert!(
        text.contains("/messages/0/content it was \"Oslo?\", and now it is \"Rome?\""),
        "{text}"
    );
    let mut asked = near.clone();
    asked["stream"] = json!(false);
    assert!(
        answer(&cassette, asked)
            .await
            .unwrap_err()
            .to_string()
            .contains("/stream")
    );
    let mut asked = near;
    asked.as_object_mut().unwrap().remove("messages");
    let text = answer(&cassette, asked).await.unwrap_err().to_string();
    assert!(
        text.contains("/messages") && text.contains("now it is absent"),
        "{text}"
    );
}

#[test]
fn another_kind_of_server_is_a_drift() {
    let cassette = Cassette::load(file(&[exchange(&json!({}), "")]).path()).unwrap();
    let error = cassette
        .answer(&ask(crate::ollama::API, &json!({})))
        .err()
        .unwrap();
    assert_eq!(error.kind(), ModelErrorKind::ReplayDrift);
}

#[test]
fn invalid_recordings_are_refused_with_the_line() {
    let error = Cassette::load(Path::new("/no/such/file")).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("/no/such/file"), "{error}");

    let error = Cassette::load(file(&[]).path()).unwrap_err();
    assert!(error.to_string().contains("is empty"), "{error}");

    let mut broken = file(&[exchange(&json!({}), "")]);
    write!(broken, "{{\"api\": 7}}").unwrap();
    let error = Cassette::load(broken.path()).unwrap_err();
    // Each exchange of the file is followed by a blank line.
    assert!(error.to_string().contains("line 3"), "{error}");
    assert!(error.hint().unwrap().contains("--record"));
}

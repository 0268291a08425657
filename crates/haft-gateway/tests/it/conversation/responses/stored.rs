//! Replies that are stored, items that are referred to, and bodies that are packed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::super::{Rig, said};
use super::{PATH, json_of, whole};

#[tokio::test]
async fn a_stored_reply_is_continued_read_and_forgotten() {
    let rig = Rig::new(vec![said("Blue.", &[]), said("Why not.", &[])]).await;
    let first = json!({"model": "tiny", "input": "Your colour?", "store": true});
    let first = whole(&rig, &first).await;
    let id = first["id"].as_str().unwrap();
    assert!(id.starts_with("resp_") && first["store"] == true);
    let second = json!({"model": "tiny", "input": "Why?", "store": true,
        "previous_response_id": id});
    let second = whole(&rig, &second).await;
    assert_eq!(second["previous_response_id"], first["id"]);
    let asked = &rig.asked()[1]["messages"];
    let texts: Vec<&Value> = asked
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["content"])
        .collect();
    assert_eq!(texts, ["Your colour?", "Blue.", "Why?"]);

    let get = async |path: String| rig.client.get(path).send().await.unwrap();
    let url = format!("{}{PATH}/{id}", rig.address);
    assert_eq!(json_of(get(url.clone()).await).await, first);
    let second_id = second["id"].as_str().unwrap();
    let items = format!("{}{PATH}/{second_id}/input_items?order=asc", rig.address);
    let items = json_of(get(items).await).await;
    assert_eq!(items["data"][0]["content"], "Your colour?");
    assert_eq!(items["data"].as_array().unwrap().len(), 3);
    assert_eq!(items["first_id"], items["data"][0]["id"]);
    let deleted = rig.client.delete(&url).send().await.unwrap();
    assert_eq!(json_of(deleted).await["deleted"], true);
    let gone = get(url).await;
    assert_eq!(gone.status(), 404);
    let message = json_of(gone).await["error"]["message"].clone();
    assert!(
        message.as_str().unwrap().contains("store: true"),
        "{message}"
    );
}

#[tokio::test]
async fn items_can_be_referred_to_unless_the_client_forbids_it() {
    let replies = vec![said("Blue.", &[]), said("Why not.", &[]), said("Red.", &[])];
    let rig = Rig::new(replies).await;
    let first = whole(&rig, &json!({"model": "tiny", "input": "Your colour?"})).await;
    assert_eq!(first["store"], false);
    let reference = |reply: &Value| {
        let id = &reply["output"][0]["id"];
        json!({"model": "tiny", "store": false, "input": [
            {"type": "item_reference", "id": id}, {"role": "user", "content": "Why?"}]})
    };
    let second = whole(&rig, &reference(&first)).await;
    assert_eq!(rig.asked()[1]["messages"][0]["content"], "Blue.");
    let answer = rig.post(PATH, &reference(&second)).send().await.unwrap();
    assert_eq!(answer.status(), 400);
    let id = first["id"].as_str().unwrap();
    let url = format!("{}{PATH}/{id}", rig.address);
    assert_eq!(rig.client.get(url).send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn other_paths_of_the_api_are_forwarded() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/responses/compact" => Reply::json(json!({"object": "response.compaction"})),
        _ => Reply::text("not here").with_status(404),
    })
    .await;
    let rig = Rig::before(server, |_| {}).await;
    let request = rig.post(
        "/v1/responses/compact",
        &json!({"model": "tiny", "input": []}),
    );
    let answer = json_of(request.send().await.unwrap()).await;
    assert_eq!(answer["object"], "response.compaction");
    let refused = rig.client.get(format!("{}{PATH}", rig.address)).send();
    assert_eq!(refused.await.unwrap().status(), 405);
}

#[tokio::test]
async fn packed_bodies_are_read_in_every_dialect() {
    let rig = Rig::new(vec![said("Hi", &[]), said("Hi", &[])]).await;
    let chat = json!({"model": "tiny", "messages": [{"role": "user", "content": "Hi"}]});
    let response = json!({"model": "tiny", "input": "Hi"});
    for (path, body) in [("/v1/chat/completions", chat), (PATH, response)] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body.to_string().as_bytes()).unwrap();
        let packed = encoder.finish().unwrap();
        let request = rig.client.post(format!("{}{path}", rig.address));
        let request = request.header("content-encoding", "gzip").body(packed);
        assert_eq!(request.send().await.unwrap().status(), 200, "{path}");
    }
    let request = rig.client.post(format!("{}{PATH}", rig.address));
    let request = request.header("content-encoding", "br").body("no");
    assert_eq!(request.send().await.unwrap().status(), 415);
}

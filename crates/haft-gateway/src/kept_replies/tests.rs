use serde_json::json;

use super::*;

fn reply(number: usize, text: &str, is_stored: bool) -> KeptReply {
    let item = json!({"id": format!("msg_{number}"), "text": text});
    KeptReply {
        id: format!("resp_{number}"),
        output: vec![item],
        stored: is_stored.then(|| Stored {
            response: json!({"id": format!("resp_{number}")}),
            input: vec![json!("before")],
        }),
    }
}

#[test]
fn ids_are_all_different() {
    let ids: std::collections::HashSet<String> = (0..1000).map(|_| secret_id("x_")).collect();
    assert_eq!(ids.len(), 1000);
    for id in ids {
        let rest = id.strip_prefix("x_").unwrap();
        assert_eq!(rest.len(), ID_LENGTH);
        assert!(rest.chars().all(|letter| letter.is_ascii_alphanumeric()));
    }
}

#[test]
fn a_stored_reply_has_its_conversation_and_an_unstored_one_its_items() {
    let kept = KeptReplies::default();
    kept.keep(reply(1, "one", true));
    kept.keep(reply(2, "two", false));
    let conversation = kept.conversation("resp_1").unwrap();
    assert_eq!(
        conversation,
        [json!("before"), json!({"id": "msg_1", "text": "one"})]
    );
    assert!(kept.conversation("resp_2").is_none());
    assert!(kept.stored("resp_2").is_none());
    assert_eq!(kept.item("msg_2").unwrap()["text"], "two");
    assert!(!kept.forget("resp_2"));
    assert!(kept.forget("resp_1"));
    assert!(kept.stored("resp_1").is_none() && kept.item("msg_1").is_none());
}

#[test]
fn the_oldest_replies_make_room() {
    let kept = KeptReplies::default();
    for number in 0..=MOST {
        kept.keep(reply(number, "short", true));
    }
    assert!(kept.item("msg_0").is_none() && kept.item("msg_1").is_some());
    let half = "x".repeat(BYTES / 2);
    kept.keep(reply(5001, &half, false));
    kept.keep(reply(5002, &half, false));
    assert!(kept.item("msg_5001").is_none() && kept.item("msg_5002").is_some());
    assert!(
        kept.item("msg_1").is_none(),
        "half of the space is not enough for both"
    );
    kept.keep(reply(5003, &"x".repeat(BYTES + 1), false));
    assert!(kept.item("msg_5003").is_none() && kept.item("msg_5002").is_some());
    assert!(kept.forget("resp_5002") || kept.replies.lock().unwrap().bytes <= BYTES);
}

#[cfg(feature = "durable")]
#[test]
fn what_the_store_has_leaves_the_memory_but_for_its_items() {
    let mut replies = Replies::default();
    let now = Instant::now();
    let ages = [(1, Duration::from_secs(11)), (2, Duration::ZERO)];
    for (number, age) in ages {
        let reply = reply(number, "?", true);
        let bytes = reply.bytes();
        replies.bytes += bytes;
        let since = now.checked_sub(age).unwrap();
        replies.kept.push_back(Entry {
            reply,
            since,
            bytes,
        });
    }
    replies.leave_to_the_store();
    assert!(replies.find("resp_1").is_none() && replies.find("resp_2").is_some());
    let bytes: usize = replies.kept.iter().map(|entry| entry.bytes).sum();
    assert_eq!(replies.bytes, bytes);
    assert_eq!(replies.kept[0].reply.output.len(), 1);
}

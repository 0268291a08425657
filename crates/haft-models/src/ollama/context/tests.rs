use std::future::ready;

use super::super::wire::{ChatMessage, Options};
use super::*;

async fn ask(size: &ContextSize, needed: u64, loaded: Option<u32>) -> Option<u32> {
    size.holding(needed, ready(loaded)).await
}

#[tokio::test]
async fn a_prompt_that_fits_requests_no_context_size() {
    let size = ContextSize::default();
    assert_eq!(ask(&size, 4096, Some(2048)).await, None);
}

#[tokio::test]
async fn steps_grow_and_stay() {
    let size = ContextSize::default();
    assert_eq!(ask(&size, 4097, None).await, Some(8192));
    assert_eq!(ask(&size, 10, None).await, Some(8192), "a change reloads");
    assert_eq!(ask(&size, 8193, None).await, Some(16_384));
    assert_eq!(ask(&size, 1_000_000, None).await, Some(32_768));
    assert_eq!(size.most(), 32_768);
}

#[tokio::test]
async fn a_loaded_context_that_is_large_enough_is_used() {
    let size = ContextSize::default();
    assert_eq!(ask(&size, 5000, Some(262_144)).await, Some(262_144));
    assert_eq!(size.most(), 262_144);
    let size = ContextSize::default();
    assert_eq!(ask(&size, 5000, Some(4096)).await, Some(8192));
}

#[tokio::test]
async fn a_refusal_asks_for_the_next_step_while_that_may_help() {
    let size = ContextSize::default();
    assert!(size.grow(3000));
    assert_eq!(ask(&size, 10, None).await, Some(8192));
    assert!(size.grow(3000) && size.grow(3000));
    assert!(!size.grow(3000), "there is no step after the last");
    assert!(!ContextSize::default().grow(40_000), "no step would do");
    assert!(!ContextSize::default().grow(2000), "it fits everywhere");
}

#[test]
fn everything_in_the_prompt_counts() {
    let message = |content: &str| ChatMessage {
        content: content.to_owned(),
        ..ChatMessage::default()
    };
    let body = |messages| ChatRequest {
        messages,
        ..ChatRequest::default()
    };
    let empty = needed(&body(vec![message("")]), 1);
    assert_eq!(empty, AROUND_MESSAGE + REPLY);
    assert_eq!(needed(&body(vec![message("abcdef")]), 1), empty + 2);
    assert_eq!(needed(&body(vec![message("")]), 4), empty + 3 * REPLY);
    let picture = ChatMessage {
        images: vec![String::new()],
        thinking: Some("abc".to_owned()),
        ..message("")
    };
    assert_eq!(needed(&body(vec![picture]), 1), empty + PICTURE + 1);
    let limited = ChatRequest {
        options: Options {
            num_predict: Some(100),
            ..Options::default()
        },
        ..body(vec![message("")])
    };
    assert_eq!(needed(&limited, 1), AROUND_MESSAGE + 100);
}

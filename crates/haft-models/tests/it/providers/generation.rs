//! Generation options in the request of every provider.

use haft_core::{CallOptions, Generation, Message, ThinkingEffort};
use haft_models::Transport;
use haft_testing::ScriptedServer;
use serde_json::{Value, json};

use super::{PROVIDERS, Provider, Said, Setup};

/// The fields of a request besides the conversation.
async fn sent(provider: &Provider, generation: Generation) -> Value {
    let said = Said {
        text: "Hello",
        ..Said::default()
    };
    let server = ScriptedServer::start([(provider.reply)(true, &said)]).await;
    let model = (provider.model)(Setup {
        url: server.url(),
        streamed: true,
        transport: Transport::http(),
    });
    let options = CallOptions {
        generation,
        ..CallOptions::default()
    };
    model
        .invoke(&[Message::human("?")], &options)
        .await
        .unwrap();
    server.requests()[0].body.clone()
}

#[tokio::test]
async fn generation_options_are_in_the_request() {
    for provider in PROVIDERS {
        let wished = Generation {
            temperature: Some(0.5),
            top_p: Some(0.9),
            max_tokens: Some(77),
            stop: vec!["END".to_owned()],
            seed: Some(7),
            ..Generation::default()
        };
        let body = sent(provider, wished).await;
        let part = match provider.name {
            "ollama" => body["options"].clone(),
            _ => body.clone(),
        };
        assert_eq!(part["temperature"], 0.5, "{}", provider.name);
        assert_eq!(part["top_p"], 0.9, "{}", provider.name);
        let (most, stop, seed) = match provider.name {
            "ollama" => ("num_predict", "stop", json!(7)),
            "anthropic" => ("max_tokens", "stop_sequences", Value::Null),
            _ => ("max_tokens", "stop", json!(7)),
        };
        assert_eq!(part[most], 77, "{}", provider.name);
        assert_eq!(part[stop], json!(["END"]), "{}", provider.name);
        assert_eq!(part["seed"], seed, "{}", provider.name);
    }
}

#[tokio::test]
async fn options_of_some_servers_are_sent_only_to_those() {
    let wished = Generation {
        top_k: Some(20),
        min_p: Some(0.05),
        repeat_penalty: Some(1.1),
        presence_penalty: Some(0.5),
        frequency_penalty: Some(0.25),
        context_tokens: Some(16_384),
        keep_alive: Some(json!("10m")),
        ollama_options: json!({"mirostat": 2}).as_object().unwrap().clone(),
        openai_fields: json!({"logit_bias": {"7": -100}})
            .as_object()
            .unwrap()
            .clone(),
        ..Generation::default()
    };
    for provider in PROVIDERS {
        let body = sent(provider, wished.clone()).await;
        match provider.name {
            "ollama" => {
                let options = json!({"num_ctx": 16_384, "top_k": 20, "min_p": 0.05,
                    "repeat_penalty": 1.1, "presence_penalty": 0.5, "frequency_penalty": 0.25,
                    "mirostat": 2});
                assert_eq!(body["options"], options);
                assert_eq!(body["keep_alive"], "10m");
                assert!(body.get("logit_bias").is_none());
            }
            "anthropic" => {
                assert_eq!(body["top_k"], 20);
                assert!(body.get("min_p").is_none() && body.get("mirostat").is_none());
            }
            _ => {
                assert_eq!(body["top_k"], 20);
                assert_eq!(body["min_p"], 0.05);
                // Local servers differ in the name.
                assert_eq!(body["repeat_penalty"], 1.1);
                assert_eq!(body["repetition_penalty"], 1.1);
                assert_eq!(body["presence_penalty"], 0.5);
                assert_eq!(body["frequency_penalty"], 0.25);
                assert_eq!(body["logit_bias"], json!({"7": -100}));
                assert!(body.get("mirostat").is_none() && body.get("keep_alive").is_none());
            }
        }
    }
}

#[tokio::test]
async fn the_thinking_effort_is_written_in_each_providers_form() {
    let cases = [
        (
            ThinkingEffort::Off,
            json!("none"),
            json!(false),
            Value::Null,
        ),
        (ThinkingEffort::On, Value::Null, json!(true), json!(4096)),
        (
            ThinkingEffort::High,
            json!("high"),
            json!("high"),
            json!(16_384),
        ),
    ];
    for (thinking, openai, ollama, anthropic) in cases {
        for provider in PROVIDERS {
            let wished = Generation {
                thinking: Some(thinking),
                ..Generation::default()
            };
            let body = sent(provider, wished).await;
            let (said, expected) = match provider.name {
                "ollama" => (&body["think"], &ollama),
                "anthropic" => (&body["thinking"]["budget_tokens"], &anthropic),
                _ => (&body["reasoning_effort"], &openai),
            };
            assert_eq!(said, expected, "{} {thinking:?}", provider.name);
        }
    }
}

#[tokio::test]
async fn without_options_a_request_contains_none() {
    for provider in PROVIDERS {
        let body = sent(provider, Generation::default()).await;
        for key in [
            "top_p",
            "stop",
            "stop_sequences",
            "seed",
            "reasoning_effort",
            "thinking",
        ] {
            let options = body.get("options").unwrap_or(&Value::Null);
            assert!(
                body.get(key).is_none() && options.get(key).is_none(),
                "{body}"
            );
        }
    }
}

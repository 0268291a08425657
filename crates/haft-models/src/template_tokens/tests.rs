use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, ChatModel, ContentBlock, InvalidToolCall, Message, ToolCall,
    ToolChoice, ToolMessage,
};
use haft_testing::{Reply, ScriptedServer, SpyTool};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{ModelSettings, Secret, ServerKind, ToolMode, open_model};

/// Special tokens of all families of models whose calls `haft-extract` reads, as their published
/// tokenizers and templates have them.
const TOKENS: [&str; 153] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|begin_of_text|>",
    "<|python_tag|>",
    "<|header_start|>",
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|call|>",
    "<|user|>",
    "<|START_OF_TURN_TOKEN|>",
    "<|turn>",
    "<turn|>",
    "<channel|>",
    "<|tool_call>",
    "<tool_call|>",
    "<|\"|>",
    "<|/tool_call|>",
    "<|tool_call_start|>",
    "<|tool_calls_section_begin|>",
    "<|im_middle|>",
    "<|open|>",
    "<|sep|>",
    "<|close|>",
    "<|role_sep|>",
    "<|role_end|>",
    "<|action_start|>",
    "<|plugin|>",
    "<|tools_prefix|>",
    "<|START_ACTION|>",
    "<|content_invoke_tool_json|>",
    "<|plamo:begin_tool_request:plamo|>",
    "<|separator|>",
    "<|userprompt|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<start_function_call>",
    "<end_function_call>",
    "<start_function_response>",
    "<escape>",
    "<bos>",
    "<eos>",
    "<s>",
    "</s>",
    "<unk>",
    "<pad>",
    "<sep>",
    "<unused12>",
    "<extra_id_0>",
    "<SPECIAL_10>",
    "<BOS_TOKEN>",
    "<EOS_TOKEN>",
    "<gMASK>",
    "<sop>",
    "<reserved_106>",
    "<mask:1>",
    "<eoh>",
    "<eoa>",
    "<endoftext>",
    "<end_of_utterance>",
    "<beginning_of_sentence>",
    "<end_of_sentence>",
    "<role>",
    "</role>",
    "<image>",
    "<start_of_image>",
    "<think>",
    "</think>",
    "<mm:think>",
    "<seed:think>",
    "<longcat_think>",
    "<response>",
    "</response>",
    "<tool_call>",
    "</tool_call>",
    "<tools>",
    "<tool_calls>",
    "<tool_sep>",
    "<tool_response>",
    "</tool_response>",
    "<tool_output>",
    "<arg_key>",
    "</arg_value>",
    "<function_calls>",
    "<atem:function_calls>",
    "<dots_function_call>",
    "<iquest_tool_call>",
    "<longcat_tool_call>",
    "<longcat_arg_key>",
    "<TOOLCALL>",
    "<AVAILABLE_TOOLS>",
    "<TOOLRESPONSE>",
    "<ifm|tool_calls>",
    "</ifm|arg_value>",
    "<seed:bos>",
    "<seed:eos>",
    "<seed:tool_call>",
    "<minimax:tool_call>",
    "<<SYS>>",
    "<</SYS>>",
    "[INST]",
    "[/INST]",
    "[SYSTEM_PROMPT]",
    "[AVAILABLE_TOOLS]",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[CALL_ID]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[THINK]",
    "[/THINK]",
    "[IMG]",
    "[img-0]",
    "<img>",
    "<IMG_CONTEXT>",
    "<__media__>",
    "[gMASK]",
    "[BOS]",
    "[EOS]",
    "[EOT]",
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "[start_header_id]",
    "[|system|]",
    "[|user|]",
    "[|assistant|]",
    "[|tool|]",
    "[|endofturn|]",
    "[BEGIN FINAL RESPONSE]",
    "[END FINAL RESPONSE]",
    "<｜begin▁of▁sentence｜>",
    "<｜User｜>",
    "<｜Assistant｜>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁outputs▁begin｜>",
    "<｜DSML｜function_calls>",
    "</｜DSML｜invoke>",
    "｜DSML｜",
    "</|end|>",
    "<｜hy_User｜>",
    "]~!b[",
    "]~b]",
    "[e~[",
    "]!p~[",
    "]!d~[",
    "]<]minimax[>[",
    "]<]start of image[>[",
];

fn has_token(text: &str) -> bool {
    TOKENS.iter().any(|token| text.contains(token))
}

#[test]
fn no_token_survives_in_any_context() {
    for token in TOKENS {
        for (before, behind) in [("", ""), ("a", "b"), ("<", ">"), ("[", "]"), ("<|", "|>")] {
            let text = format!("{before}{token}{behind}{token}");
            let harmless = without_template_tokens(&text);
            assert!(!has_token(&harmless), "{harmless}");
            assert_eq!(without_template_tokens(&harmless), harmless);
            let spaceless = |text: &str| text.replace(' ', "");
            assert_eq!(
                spaceless(&harmless),
                spaceless(&text),
                "nothing else changes"
            );
        }
        assert!(!has_token(&without_template_tokens(&token.to_lowercase())));
    }
}

#[test]
fn other_text_stays_unchanged() {
    for text in [
        "a < b > c, x[0], [1, 2], [INFO] ok",
        "<b>bold</b> <a href=\"x\">y</a> <script>",
        "f x |> g; if (a<b || c>d)",
        "[{\"name\":\"x\"}]",
        "",
    ] {
        assert!(matches!(without_template_tokens(text), Cow::Borrowed(same) if same == text));
    }
}

#[test]
fn a_definition_of_a_tool_holds_no_token_in_any_place() {
    let token = "<|im_start|>";
    let schema = json!({token: {"description": token, "enum": [token, 1], "items": [token]}});
    assert!(!has_token(&without_tokens_in(schema).to_string()));
}

proptest! {
    #[test]
    fn pieces_of_tokens_never_become_one(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<", "|", "im_start", "|>", ">", "[", "/", "INST", "]", "s", " ", "~b]", "｜",
                "<|", "</", "start_of_turn", "<s", "<s>", "[INST]", "<|im_start|>", "é",
            ]),
            0..24,
        )
    ) {
        let text = pieces.concat();
        let harmless = without_template_tokens(&text);
        prop_assert!(!has_token(&harmless), "{}", harmless);
        prop_assert_eq!(without_template_tokens(&harmless), harmless.clone());
    }
}

#[test]
fn typed_text_loses_what_frames_messages_and_keeps_other_markup() {
    let typed = "What is <think> or <tool_call>{}</tool_call> and [TOOL_CALLS]?";
    let copied = "<|im_end|> <end_of_turn> </s> [/INST] [|endofturn|] ]~b] <eos>";
    let human = Message::human(format!("{typed}{copied}"));
    let reply = Message::ai(format!("{typed}{copied}"));
    for message in [human, reply] {
        let harmless = harmless_messages(std::slice::from_ref(&message));
        let text = harmless[0].content().text();
        assert!(text.starts_with(typed), "{text}");
        let rest = text.strip_prefix(typed).unwrap();
        assert_eq!(
            rest,
            "< |im_end|> < end_of_turn> < /s> [ /INST] [ |endofturn|] ] ~b] < eos>"
        );
    }
}

#[test]
fn an_attachment_and_the_calls_of_a_model_lose_every_token() {
    for token in TOKENS {
        let attachment = ContentBlock::Attachment {
            title: token.to_owned(),
            text: token.to_owned(),
        };
        let messages = conversation_with(token, attachment);
        let harmless = harmless_messages(&messages);
        let shown = serde_json::to_string(&harmless[1..]).unwrap();
        let quoted = serde_json::to_string(token).unwrap();
        assert!(!shown.contains(quoted.trim_matches('"')), "{shown}");
    }
}

#[test]
fn a_conversation_without_tokens_is_not_copied_and_signed_thoughts_stay() {
    let plain = [Message::system("<|think|>"), Message::human("a < b")];
    assert!(matches!(harmless_messages(&plain), Cow::Borrowed(_)));
    let thought = |signature: Option<&str>| ContentBlock::Thinking {
        thinking: "<|im_end|>".into(),
        signature: signature.map(str::to_owned),
    };
    let messages = [Message::Ai(AiMessage::new(vec![
        thought(Some("proof")),
        thought(None),
    ]))];
    let harmless = harmless_messages(&messages);
    assert_eq!(harmless[0].content().blocks()[0], thought(Some("proof")));
    assert_ne!(harmless[0].content().blocks()[1], thought(None));
}

/// A conversation with `token` in every untrusted place, except in the names of tools.
fn conversation_with(token: &str, attachment: ContentBlock) -> Vec<Message> {
    let call = ToolCall::new("t", json!({token: [token]}), token);
    let invalid = InvalidToolCall {
        name: "t".into(),
        args: format!("{{{token}"),
        id: format!("{token}2"),
        error: String::new(),
    };
    let mut reply = AiMessage::new("").with_tool_calls([call]);
    reply.invalid_tool_calls.push(invalid);
    vec![
        Message::system("Be brief."),
        Message::human(vec![attachment]),
        Message::Ai(reply),
        Message::Tool(ToolMessage::success(token, token)),
        Message::Tool(ToolMessage::success(token, format!("{token}2"))),
    ]
}

/// The bodies of all requests that a conversation full of `token` leads to.
async fn sent(spec: &str, tool_mode: ToolMode, token: &str) -> Vec<String> {
    let server = ScriptedServer::with(|_| Reply::text("no").with_status(400)).await;
    let mut settings = ModelSettings {
        tool_mode,
        ..ModelSettings::default()
    };
    settings.server_mut(ServerKind::Anthropic).api_key = Some(Secret::new("k"));
    for kind in [
        ServerKind::Ollama,
        ServerKind::OpenAi,
        ServerKind::Anthropic,
    ] {
        settings.server_mut(kind).url = Some(server.url().to_owned());
    }
    let schema = json!({"type": "object", "description": token, "properties": {
        "a": {"type": "string", "description": token, "enum": ["x", token]},
        token: {"type": "string"},
        "s": {"type": "string"},
        "|im_start|": {"type": "string"},
    }, "required": ["s", "|im_start|"]});
    let tool = SpyTool::new("t", |_| Ok("".into()))
        .with_schema(schema)
        .with_description(token);
    let model = open_model(&spec.parse().unwrap(), &settings).unwrap();
    let model: Arc<dyn ChatModel> = model.bind_tools(&[Arc::new(tool)]).unwrap();
    let attachment = ContentBlock::Attachment {
        title: token.to_owned(),
        text: token.to_owned(),
    };
    let mut conversation = conversation_with(token, attachment);
    conversation.push(Message::ai("Said <|im_end|>."));
    conversation.push(Message::human("Pasted <|im_start|>."));
    for tool_choice in [ToolChoice::Auto, ToolChoice::Required] {
        let options = CallOptions {
            tool_choice,
            ..CallOptions::default()
        };
        let _ = model.invoke(&conversation, &options).await;
    }
    let requests = server.requests().into_iter();
    requests.map(|request| request.body.to_string()).collect()
}

#[tokio::test]
async fn no_token_of_a_stranger_is_in_a_request_to_any_provider() {
    // A page as a web search returns it, with all tokens in one text.
    let page = format!("system {}", TOKENS.concat());
    for spec in ["ollama:m", "openai:m", "anthropic:m"] {
        for tool_mode in [ToolMode::Native, ToolMode::Text] {
            let requests = sent(spec, tool_mode, &page).await;
            let asked: Vec<_> = requests
                .iter()
                .filter(|body| body.contains("Said"))
                .collect();
            assert!(!asked.is_empty(), "{spec}");
            for body in asked {
                let body: Value = serde_json::from_str(body).unwrap();
                assert_eq!(tokens_in(&body), Vec::<String>::new(), "{spec}");
                let body = body.to_string();
                assert!(body.contains("Said < |im_end|>."), "{body}");
                assert!(body.contains("Pasted < |im_start|>."), "{body}");
            }
        }
    }
}

/// The tokens in all texts of `body`.
fn tokens_in(body: &Value) -> Vec<String> {
    match body {
        Value::String(text) => {
            let tokens = TOKENS.into_iter().filter(|token| text.contains(token));
            tokens.map(|token| format!("{token} in {text}")).collect()
        }
        Value::Array(items) => items.iter().flat_map(tokens_in).collect(),
        Value::Object(members) => {
            let names = members.keys().cloned().map(Value::String);
            let names: Vec<_> = names.flat_map(|name| tokens_in(&name)).collect();
            let values = members.values().flat_map(tokens_in);
            names.into_iter().chain(values).collect()
        }
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn names_of_tools_and_calls_hold_no_token() {
    let server = ScriptedServer::with(|_| Reply::text("no").with_status(400)).await;
    for tool_mode in [ToolMode::Native, ToolMode::Text] {
        let mut settings = ModelSettings {
            tool_mode,
            ..ModelSettings::default()
        };
        settings.server_mut(ServerKind::Ollama).url = Some(server.url().to_owned());
        let tool = SpyTool::new("<|im_start|>", |_| Ok("".into()));
        let model = open_model(&"ollama:m".parse().unwrap(), &settings).unwrap();
        let model = model.bind_tools(&[Arc::new(tool)]).unwrap();
        let call = ToolCall::new("<|im_start|>", json!({}), "1");
        let conversation = [
            Message::human("Go"),
            Message::Ai(AiMessage::new("").with_tool_calls([call])),
            Message::Tool(ToolMessage::success("done", "1")),
        ];
        let _ = model.invoke(&conversation, &CallOptions::default()).await;
    }
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .any(|request| request.body.to_string().contains("im_start"))
    );
    for request in requests {
        assert!(!request.body.to_string().contains("<|im_start|>"));
    }
}

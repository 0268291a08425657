//! Any sentence for the command engine: no panic, and no call of a tool that is not bound.
#![no_main]

use haft::types::CallOptions;
use haft::models::Builtin;
use haft::{ChatModel, Message};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|sentence: &str| {
    let tools = haft::zwave::zwave_tools(haft::zwave::Home::demo());
    let Ok(model) = Builtin::new().bind_tools(&tools) else { return };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return };
    let reply = runtime.block_on(model.invoke(&[Message::human(sentence)], &CallOptions::default()));
    for call in reply.map(|reply| reply.tool_calls).unwrap_or_default() {
        assert!(tools.iter().any(|tool| tool.name() == call.name), "{}", call.name);
    }
});

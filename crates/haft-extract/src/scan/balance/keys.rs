//! The names under which models put the parts of a call.
//!
//! The scanner of the parent, [`balance`](super), looks for them, and so do the readers of whole
//! objects.

/// Under which names models put the name of a tool.
pub(crate) fn is_name_key(key: &str) -> bool {
    matches!(
        key,
        "name"
            | "_name"
            | "tool"
            | "tool_name"
            | "toolName"
            | "tool_call"
            | "function"
            | "function_name"
            | "function_call"
            | "action"
            | "recipient_name"
            | "func"
            | "functionName"
            | "service"
            | "Name"
            | "command_name"
            | "next_tool_name"
            | "request"
    )
}

/// Under which names models put the arguments.
pub(crate) fn is_arguments_key(key: &str) -> bool {
    matches!(
        key,
        "arguments"
            | "args"
            | "parameters"
            | "params"
            | "input"
            | "tool_input"
            | "action_input"
            | "argument"
            | "parameter"
            | "kwargs"
            | "tool_args"
            | "function_args"
            | "tool_parameters"
            | "Arguments"
            | "Parameters"
            | "tool_arguments"
            | "function_arguments"
            | "next_tool_args"
            | "command_args"
    )
}

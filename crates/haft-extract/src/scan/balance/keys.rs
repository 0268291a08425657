//! The names under which models put the parts of a call.
//!
//! The scanner of the parent, [`balance`](super), looks for them, and so do the readers of whole
//! objects.

/// True for a name under which models put the name of a tool.
pub(crate) fn is_name_key(key: &str) -> bool {
    matches!(
        key,
        "name"
            | "_name"
            | "Name"
            | "tool"
            | "tool_name"
            | "toolName"
            | "tool_call"
            | "function"
            | "function_name"
            | "functionName"
            | "function_call"
            | "func"
            | "action"
            | "recipient_name"
            | "service"
            | "command_name"
            | "next_tool_name"
            | "request"
    )
}

/// True for a name under which models put the arguments.
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
            | "tool_arguments"
            | "tool_parameters"
            | "function_args"
            | "function_arguments"
            | "Arguments"
            | "Parameters"
            | "next_tool_args"
            | "command_args"
    )
}

//! Requests that `rmcp` could not parse: unknown ones, or known ones with invalid parameters.

use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, CustomRequest, ErrorCode,
    ErrorData, JsonRpcMessage, PaginatedRequestParams, ProtocolVersion,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Requests that exist in every version of the protocol and are answered if their parameters are
/// valid.
const KNOWN: &[&str] = &[
    "server/discover",
    "tools/call",
    "tools/list",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "completion/complete",
    "subscriptions/listen",
];

/// The error for a request of a host that uses this version of the protocol.
pub(super) fn refusal(request: &CustomRequest, version: Option<&ProtocolVersion>) -> ErrorData {
    let method = request.method.as_str();
    // From this version on there is no handshake.
    let has_handshake = version.is_none_or(|version| *version < ProtocolVersion::V_2026_07_28);
    let is_known = KNOWN.contains(&method) || (method == "initialize" && has_handshake);
    if !is_known {
        let message = format!("There is no method \"{method}\"");
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None);
    }
    let params = request.params.clone().unwrap_or_default();
    let fault = match method {
        "tools/call" => fault::<CallToolRequestParams>(params),
        "tools/list" => fault::<PaginatedRequestParams>(params),
        _ => None,
    };
    let fault = fault.map(|fault| format!(": {fault}")).unwrap_or_default();
    let message = format!("The params do not fit {method}{fault}");
    ErrorData::invalid_params(message, None)
}

/// The error in the parameters of a list request. `rmcp` ignores parameters that it cannot parse.
pub(super) fn list_fault(message: &ClientJsonRpcMessage, line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Listing {
        #[serde(rename = "params")]
        _params: Option<PaginatedRequestParams>,
    }
    let JsonRpcMessage::Request(request) = message else {
        return None;
    };
    let is_list = matches!(
        request.request,
        ClientRequest::ListToolsRequest(_)
            | ClientRequest::ListPromptsRequest(_)
            | ClientRequest::ListResourcesRequest(_)
            | ClientRequest::ListResourceTemplatesRequest(_)
    );
    if !is_list {
        return None;
    }
    let fault = serde_json::from_slice::<Listing>(line).err()?;
    Some(format!(
        "The params do not fit {}: {fault}",
        request.request.method()
    ))
}

fn fault<T: DeserializeOwned>(params: Value) -> Option<String> {
    let read: Result<T, _> = serde_json::from_value(params);
    read.err().map(|error| error.to_string())
}

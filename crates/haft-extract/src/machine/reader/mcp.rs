//! The form in which Cline and its kin call the tools of MCP servers, whatever the model:
//! `<use_mcp_tool><server_name>S</server_name><tool_name>N</tool_name><arguments>{...}</arguments></use_mcp_tool>`.

use super::{Cursor, Reader, Step};
use crate::machine::{FoundCall, Written};
use crate::{Format, limits};

/// The name of the element.
pub(super) const NAME: &str = "use_mcp_tool";

/// What stands between the name of a server and that of its tool, where tools are bound by both.
const MARKS: [&str; 5] = ["__", ".", "/", ":", "_"];

impl Reader {
    /// The opening tag stands at the beginning of the text.
    #[inline(never)]
    pub(super) fn mcp(&mut self, here: &mut Cursor<'_>) -> Step {
        if self.has_no_ends {
            return self.bracket_is_text(here);
        }
        let end = self
            .held_up_to(here, 0, &["</use_mcp_tool>"])?
            .map(|close| close.end);
        let call = end.and_then(|end| Some((call_in(here, here.head(end))?, end)));
        let Some((call, end)) = call else {
            self.has_no_ends = end.is_none_or(|end| end > limits::FAR);
            return self.bracket_is_text(here);
        };
        self.take_calls(here, vec![call], 0..end)
    }
}

/// The call in the element, if it names a bound tool.
fn call_in(here: &Cursor<'_>, element: &str) -> Option<FoundCall<'static>> {
    let server = child(element, "server_name").unwrap_or_default();
    let tool = child(element, "tool_name")?;
    let arguments = child(element, "arguments").unwrap_or("{}");
    let names = MARKS.iter().map(|mark| format!("{server}{mark}{tool}"));
    let names = names.filter(|_| !server.is_empty());
    let mut names = names.chain([tool.to_owned()]);
    let name = names.find(|name| here.tools.binds(name))?;
    let arguments = Written::Object(arguments.to_owned().into());
    Some(FoundCall::whole(name, arguments, Format::AnthropicXml))
}

/// What stands in a child element, up to its last closing tag.
fn child<'t>(element: &'t str, name: &str) -> Option<&'t str> {
    let (_, after) = element.split_once(&format!("<{name}>"))?;
    let (inside, _) = match name {
        "arguments" => after.rsplit_once("</arguments>"),
        _ => after.split_once(&format!("</{name}>")),
    }?;
    Some(inside.trim_ascii())
}

//! Parameters whose value is an attribute of a tag that closes itself:
//! `<param name="city" value="Oslo" type="string"/>`.

use super::Parameter;
use super::mark::Mark;
use super::text::Reader;
use crate::scan::tag::Attributes;

impl Reader<'_> {
    /// The parameter that the tag of one is all of; nothing where its value follows.
    pub(super) fn value_in_tag(&self, mark: &Mark) -> Option<Parameter> {
        if !self.is_empty_element(mark) || mark.damaged {
            return None;
        }
        let opening = self.opening(mark);
        let attributes = self.attributes(mark).strip_suffix('/')?;
        // `<parameter=/usr/bin/>` names a path, and its value follows.
        if !attributes.ends_with(['"', '\'', ' ']) || opening.key.is_empty() {
            return None;
        }
        let is_value = |(key, _): &(&str, Option<&str>)| *key == "value";
        let value = Attributes::new(attributes).find(is_value);
        Some(Parameter {
            key: opening.key,
            value: match value.and_then(|(_, value)| value) {
                Some(value) => self.range_of(value),
                None => mark.end..mark.end,
            },
            kind: opening.kind,
        })
    }
}

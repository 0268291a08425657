//! Reads a value that is made of elements: `<city>Oslo</city><zip>0150</zip>`, nested for objects
//! and repeated (`<item>`) for lists.
//!
//! MiniMax M3 puts its prefix before each tag; other models write plain XML where the schema wants
//! an object. Whether an element is a member or an item is for the schema to say.

use super::{MarkKind, text::Source};
use crate::{limits, scan::Text};

/// One element of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element<'t> {
    pub(crate) name: &'t str,
    /// What stands inside.
    pub(crate) value: &'t str,
    /// The elements inside, if there are any.
    pub(crate) children: Vec<Self>,
}

/// The elements of a value.
pub(crate) struct Elements<'t> {
    pub(crate) list: Vec<Element<'t>>,
    /// One of them was not closed before the one around it was.
    pub(crate) repaired: bool,
}

/// The elements that make up `value`; None if it holds anything else, or if a tag is not closed.
pub(crate) fn elements(value: &str) -> Option<Elements<'_>> {
    let source = Source::new(Text::whole(value));
    let mut repaired = false;
    // What is open, in what holds all.
    let mut open = vec![Element::default()];
    // Where the text before the next tag begins.
    let mut from = 0;
    let mut at = 0;
    let is_prefixed = source.blanks(0).ok()?.prefixed;
    while let Some(bracket) = source.find(at) {
        at = bracket + 1;
        let (outer, tag) = match source.prefix(bracket).ok()? {
            Some(tag) => (bracket - 1, tag),
            None if is_prefixed => continue,
            None => (bracket, bracket),
        };
        let Some(mark) = source.mark(tag, is_prefixed).ok()? else {
            continue;
        };
        let is_blank = source.slice(&(from..outer)).trim().is_empty();
        from = mark.end;
        at = mark.end;
        if mark.close {
            let is_own = |element: &Element<'_>| element.name == mark.name;
            // It closes those inside too: M3 leaves out the closing tag of an empty list.
            let own = open.iter().rposition(is_own).filter(|own| *own > 0)?;
            repaired |= own + 1 < open.len();
            while open.len() > own {
                let mut element = open.pop()?;
                if !element.children.is_empty() && !is_blank {
                    return None;
                }
                element.value = source.slice(&(source.range_of(element.value).start..outer));
                open.last_mut()?.children.push(element);
            }
            continue;
        }
        let is_element = matches!(mark.kind, MarkKind::Element | MarkKind::Parameter);
        if !is_element || !is_blank || open.len() > limits::DEPTH {
            return None;
        }
        let element = Element {
            name: mark.name,
            value: source.slice(&(mark.end..mark.end)),
            children: Vec::new(),
        };
        match mark.is_empty_element() {
            true => open.last_mut()?.children.push(element),
            false => open.push(element),
        }
    }
    let list = open.pop()?.children;
    let is_whole = open.is_empty() && source.rest(from).trim().is_empty() && !list.is_empty();
    is_whole.then_some(Elements { list, repaired })
}

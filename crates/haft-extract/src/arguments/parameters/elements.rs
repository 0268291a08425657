//! Reads a value that is made of elements: `<city>Oslo</city><zip>0150</zip>`, nested for objects
//! and repeated (`<item>`) for lists.
//!
//! MiniMax M3 puts its prefix before each tag; other models write plain XML where the schema wants
//! an object. Whether an element is a member or an item is for the schema to say.

use std::ops::Range;

use crate::arguments::parameters::Style;
use crate::arguments::parameters::mark::MarkKind;
use crate::arguments::parameters::text::Reader;
use crate::scan::Text;
use crate::scan::lexis::MAX_DEPTH;

/// One element of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// Its name.
    pub(crate) key: Range<usize>,
    /// What stands inside.
    pub(crate) value: Range<usize>,
    /// How many elements it stands in.
    pub(crate) level: usize,
    /// Other elements stand inside: those that follow it with a deeper level.
    pub(crate) has_children: bool,
}

/// The elements of a value.
#[derive(Debug)]
pub(crate) struct Elements {
    /// Each before those inside it.
    pub(crate) list: Vec<Element>,
    /// One of them was not closed before the one around it was.
    pub(crate) mended: bool,
}

/// The elements that make up `value`; None if it holds anything else, or if a tag is not closed.
pub(crate) fn elements(text: &str, value: Range<usize>) -> Option<Elements> {
    let end = value.end;
    let reader = Reader {
        text: Text {
            text: text.get(..end)?,
            finished: true,
        },
        style: Style::Invoke,
    };
    let mut found: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut mended = false;
    // Where the text before the next tag begins.
    let mut from = value.start;
    let mut at = from;
    let is_prefixed = reader.blanks(from).ok()?.prefixed;
    while let Some(bracket) = reader.find(at) {
        at = bracket + 1;
        let (outer, tag) = match reader.prefix(bracket).ok()? {
            Some(tag) => (bracket - 1, tag),
            None if is_prefixed => continue,
            None => (bracket, bracket),
        };
        let Some(mark) = reader.mark(tag, is_prefixed).ok()? else {
            continue;
        };
        let is_blank = reader.slice(&(from..outer)).trim().is_empty();
        if mark.close {
            let name = reader.slice(&mark.name);
            let is_own = |at: &usize| {
                let element = found.get(*at);
                element.is_some_and(|element| reader.slice(&element.key) == name)
            };
            // It closes those inside too: M3 leaves out the closing tag of an empty list.
            let own = open.iter().rposition(is_own)?;
            mended |= own + 1 < open.len();
            for at in open.drain(own..) {
                let element = found.get_mut(at)?;
                if element.has_children && !is_blank {
                    return None;
                }
                element.value.end = outer;
            }
        } else {
            let is_element = matches!(mark.kind, MarkKind::Element | MarkKind::Parameter);
            if !is_element || !is_blank || open.len() >= MAX_DEPTH {
                return None;
            }
            let level = open.len();
            if let Some(parent) = open.last().and_then(|parent| found.get_mut(*parent)) {
                parent.has_children = true;
            }
            if !mark.is_empty_element(&reader) {
                open.push(found.len());
            }
            found.push(Element {
                key: mark.name,
                value: mark.end..mark.end,
                level,
                has_children: false,
            });
        }
        from = mark.end;
        at = mark.end;
    }
    let rest_is_blank = reader.slice(&(from..end)).trim().is_empty();
    let is_whole = open.is_empty() && rest_is_blank && !found.is_empty();
    is_whole.then_some(Elements {
        list: found,
        mended,
    })
}

//! Reads a value that is made of elements: `<city>Oslo</city><zip>0150</zip>`, nested for objects
//! and repeated (`<item>`) for lists.
//!
//! MiniMax M3 puts its prefix before each tag; other models write plain XML where the schema wants
//! an object. Whether an element is a member or an item is for the schema to say.

use std::ops::Range;

use crate::arguments::parameters::mark::MarkKind;
use crate::scan::Text;
use crate::scan::lexis::MAX_DEPTH;

/// One element of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// Its name.
    pub(crate) key: Range<usize>,
    /// What stands inside.
    pub(crate) value: Range<usize>,
    /// The elements inside, if there are any.
    pub(crate) children: Vec<Self>,
}

/// The elements of a value.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    pub(crate) list: Vec<Element>,
    /// One of them was not closed before the one around it was.
    pub(crate) repaired: bool,
}

/// The elements that make up `value`; None if it holds anything else, or if a tag is not closed.
pub(crate) fn elements(text: &str, value: Range<usize>) -> Option<Elements> {
    let end = value.end;
    let text = text.get(..end)?;
    let source = Text::whole(text);
    let mut found = Elements::default();
    let mut open: Vec<Element> = Vec::new();
    // Where the text before the next tag begins.
    let mut from = value.start;
    let mut at = from;
    let is_prefixed = source.blanks(from).ok()?.prefixed;
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
            let name = mark.name;
            let is_own = |element: &Element| source.slice(&element.key) == name;
            // It closes those inside too: M3 leaves out the closing tag of an empty list.
            let own = open.iter().rposition(is_own)?;
            found.repaired |= own + 1 < open.len();
            while open.len() > own {
                let mut element = open.pop()?;
                if !element.children.is_empty() && !is_blank {
                    return None;
                }
                element.value.end = outer;
                found.add(element, &mut open);
            }
            continue;
        }
        let is_element = matches!(mark.kind, MarkKind::Element | MarkKind::Parameter);
        if !is_element || !is_blank || open.len() >= MAX_DEPTH {
            return None;
        }
        let is_empty = mark.is_empty_element();
        let element = Element {
            key: source.range_of(mark.name),
            value: mark.end..mark.end,
            children: Vec::new(),
        };
        match is_empty {
            true => found.add(element, &mut open),
            false => open.push(element),
        }
    }
    let rest_is_blank = source.slice(&(from..end)).trim().is_empty();
    let is_whole = open.is_empty() && rest_is_blank && !found.list.is_empty();
    is_whole.then_some(found)
}

impl Elements {
    /// Adds an element that is closed to the innermost one that is open.
    fn add(&mut self, element: Element, open: &mut [Element]) {
        let siblings = match open.last_mut() {
            Some(parent) => &mut parent.children,
            None => &mut self.list,
        };
        siblings.push(element);
    }
}

//! Finds all parts of a schema that are reachable from its root, and what each accepts.

use std::collections::HashMap;

use serde_json::Value;

use crate::view::{Kinds, Place, View};

/// The maximum number of parts; further ones accept anything, as far as is known.
const MAX_PARTS: usize = 1_000;

/// The maximum number of alternatives of one part; a part with more accepts anything.
const MAX_ALTERNATIVES: usize = 64;

/// The maximum nesting depth of alternatives.
const MAX_NESTED: usize = 4;

/// All parts of a schema that are reachable from its root.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(super) root: Part,
    pub(super) parts: Vec<Part>,
}

/// One part; it refers to others by their index.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kinds: Kinds,
    pub(super) properties: Vec<(String, usize)>,
    /// The part for properties that are not named.
    pub(super) others: Option<usize>,
    pub(super) item: Option<usize>,
}

impl Outline {
    pub(crate) fn new(root: &Value) -> Self {
        let mut sketch = Sketch {
            root,
            known: HashMap::new(),
            open: Vec::new(),
        };
        let mut parts = Vec::new();
        sketch.index(vec![vec![Place::root(root)]]);
        // Parts that are found are processed later in the loop, so there is no recursion.
        while let Some(alternatives) = sketch.open.get(parts.len()).cloned() {
            parts.push(sketch.part(&alternatives));
        }
        let nothing = Part {
            kinds: Kinds::ANY,
            properties: Vec::new(),
            others: None,
            item: None,
        };
        Self {
            root: parts.first().cloned().unwrap_or(nothing),
            parts,
        }
    }
}

/// The alternatives of a part, each with the places that apply together.
type Alternatives<'s> = Vec<Vec<Place<'s>>>;

struct Sketch<'s> {
    root: &'s Value,
    /// The index of each known part.
    known: HashMap<Vec<Vec<*const Value>>, usize>,
    open: Vec<Alternatives<'s>>,
}

impl<'s> Sketch<'s> {
    /// The index of a part; `None` if it is empty, or the limit is reached.
    fn index(&mut self, mut alternatives: Alternatives<'s>) -> Option<usize> {
        alternatives.retain(|places| !places.is_empty());
        if alternatives.is_empty() {
            return None;
        }
        let address = |place: &Place<'s>| std::ptr::from_ref(place.schema);
        let key: Vec<Vec<*const Value>> = alternatives
            .iter()
            .map(|places| places.iter().map(address).collect())
            .collect();
        if let Some(index) = self.known.get(&key) {
            return Some(*index);
        }
        let index = self.open.len();
        if index >= MAX_PARTS {
            return None;
        }
        self.known.insert(key, index);
        self.open.push(alternatives);
        Some(index)
    }

    fn part(&mut self, alternatives: &Alternatives<'s>) -> Part {
        let mut views = Vec::new();
        let mut kinds = Kinds::NONE;
        for places in alternatives {
            kinds = kinds.or(self.gather(places, MAX_NESTED, &mut views));
        }
        let mut names: Vec<&str> = Vec::new();
        for view in &views {
            for name in view.properties() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let mut properties = Vec::new();
        for name in names {
            let described = views.iter().filter(|view| view.has_property(name));
            let alternatives = described.map(|view| view.property(name)).collect();
            if let Some(index) = self.index(alternatives) {
                properties.push((name.to_owned(), index));
            }
        }
        let others = views.iter().map(View::other_properties).collect();
        let item = views.iter().map(|view| view.item(0)).collect();
        Part {
            kinds,
            properties,
            others: self.index(others),
            item: self.index(item),
        }
    }

    /// Adds the view of `places` and those of its alternatives; returns the accepted types.
    fn gather(&self, places: &[Place<'s>], levels: usize, views: &mut Vec<View<'s>>) -> Kinds {
        if views.len() >= MAX_ALTERNATIVES {
            return Kinds::ANY;
        }
        let view = View::of(self.root, places);
        let mut kinds = view.kinds;
        let choices: Alternatives<'s> = view
            .choices
            .iter()
            .map(|choice| choice.branches.clone())
            .collect();
        views.push(view);
        let Some(levels) = levels.checked_sub(1) else {
            return kinds;
        };
        for branches in choices {
            let any = branches.iter().fold(Kinds::NONE, |any, branch| {
                any.or(self.gather(std::slice::from_ref(branch), levels, views))
            });
            kinds = kinds.and(any);
        }
        kinds
    }
}

//! The bound tools, prepared once for reading many replies: names as models misspell them, and
//! compiled schemas.

mod spelling;
mod starts;

use std::fmt;
use std::sync::{Arc, OnceLock};

use haft_core::{Arguments, Tool};
use haft_schema::{CompiledSchema, match_key};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use spelling::{is_identifier, tail, words};
use starts::{Starts, bit};

/// A tool as an extractor needs to know it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// JSON Schema of its arguments; `null` for none.
    pub parameters: Value,
    /// It changes nothing, so that a misspelt word may be guessed.
    pub read_only: bool,
    /// It may do harm, or a person is asked before it runs: its calls need a marker, or a reply of
    /// nothing but calls.
    pub destructive: bool,
}

impl ToolDefinition {
    /// A tool that may change something.
    #[must_use]
    pub fn new(name: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            parameters,
            read_only: false,
            destructive: false,
        }
    }

    /// Says whether the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Says whether the tool may do harm.
    #[must_use]
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.destructive = destructive;
        self
    }
}

/// The bound tools. Cheap to clone.
#[derive(Clone)]
pub struct ToolSet {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// With what a line may begin that holds a call.
    starts: Starts,
    /// Every name is accepted and nothing is coerced.
    any: bool,
    tools: Vec<BoundTool>,
    exact: FxHashMap<String, usize>,
    /// By their words, and by their letters in one word: separators count where there are any, so
    /// that `get_coordinate` does not mean a tool `get_co-ordinate`.
    spelled: Spellings,
    /// By the words behind the last mark of a namespace, where they are two or more.
    tails: Spellings,
}

/// The tool that is spelled so; none where two are.
type Spellings = FxHashMap<String, Option<usize>>;

/// One bound tool.
pub(crate) struct BoundTool {
    pub(crate) definition: ToolDefinition,
    /// Its name without its namespace, if it is known by that.
    tail: Option<String>,
    /// The names of its parameters, as far as it says which it has.
    pub(crate) parameters: Arc<[String]>,
    /// Compiled at the first call: of many tools few are called. None for a broken schema.
    schema: OnceLock<Option<Arc<CompiledSchema>>>,
}

impl BoundTool {
    /// The schema, unless it cannot be compiled: then arguments are taken as they are.
    pub(crate) fn schema(&self) -> Option<&CompiledSchema> {
        let compile = || CompiledSchema::shared(&self.definition.parameters).ok();
        self.schema.get_or_init(compile).as_deref()
    }

    /// True when its first parameter is text.
    pub(crate) fn begins_with_text(&self) -> bool {
        let properties = self.definition.parameters.get("properties");
        let first = self.parameters.first();
        let kind = first.and_then(|first| properties?.get(first)?.get("type"));
        kind.is_some_and(|kind| kind == "string")
    }
}

/// What a written name stands for.
#[derive(Clone, Copy)]
pub(crate) enum Named<'s> {
    /// A bound tool.
    Bound(&'s BoundTool),
    /// Any name is accepted.
    Anything,
    /// No bound tool, or more than one.
    Unknown,
}

impl<'s> Named<'s> {
    /// The tool, if it is a bound one.
    pub(crate) fn tool(self) -> Option<&'s BoundTool> {
        match self {
            Self::Bound(tool) => Some(tool),
            Self::Anything | Self::Unknown => None,
        }
    }

    /// The name of the tool; as `written`, if it is no bound one.
    pub(crate) fn name(self, written: &'s str) -> &'s str {
        self.tool().map_or(written, |tool| &tool.definition.name)
    }
}

impl ToolSet {
    /// The given tools, found by `name` and by `lc_name`.
    #[must_use]
    pub fn new(tools: &[Arc<dyn Tool>]) -> Self {
        let definitions = tools.iter().map(|tool| {
            let name = tool.lc_name().unwrap_or(tool.name());
            let annotations = tool.annotations();
            ToolDefinition::new(name, tool.schema().clone())
                .read_only(annotations.read_only)
                .destructive(annotations.destructive)
        });
        Self::from_definitions(definitions)
    }

    /// The given tools; of two with one name the first counts.
    #[must_use]
    pub fn from_definitions(definitions: impl IntoIterator<Item = ToolDefinition>) -> Self {
        let mut shared = Shared::default();
        for definition in definitions {
            let at = shared.tools.len();
            if shared.exact.contains_key(&definition.name) {
                continue;
            }
            shared.exact.insert(definition.name.clone(), at);
            shared.starts.add(&definition.name);
            let words = words(&definition.name);
            note(&mut shared.spelled, words.replace(' ', ""), at);
            note(&mut shared.spelled, words, at);
            let tail = tail(&definition.name).map(str::to_owned);
            if let Some(tail) = &tail {
                shared.starts.add(tail);
                note(&mut shared.tails, self::words(tail), at);
            }
            let parameters = definition.parameters.get("properties");
            let parameters = parameters.and_then(Value::as_object).into_iter();
            let parameters = parameters.flat_map(Map::keys).cloned().collect();
            shared.tools.push(BoundTool {
                definition,
                tail,
                parameters,
                schema: OnceLock::new(),
            });
        }
        let shared = Arc::new(shared);
        Self { shared }
    }

    /// Accepts every name, and takes arguments as they are written.
    #[must_use]
    pub fn any() -> Self {
        let shared = Arc::new(Shared {
            starts: Starts::any(),
            any: true,
            ..Shared::default()
        });
        Self { shared }
    }

    /// The tool of this name.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<&ToolDefinition> {
        self.find(name).tool().map(|tool| &tool.definition)
    }

    /// True when every name is accepted.
    pub(crate) fn is_any(&self) -> bool {
        self.shared.any
    }

    /// The bound tools.
    pub(crate) fn tools(&self) -> &[BoundTool] {
        &self.shared.tools
    }

    /// True when a line that begins so may hold a call without markers: not with `<`, and an empty one
    /// may, as more of it may come.
    pub(crate) fn may_begin_line(&self, line: &[u8]) -> bool {
        self.shared.starts.fits(line)
    }

    /// True when a line that begins with these two may hold a call without markers.
    #[inline]
    pub(crate) fn may_begin_with(&self, first: u8, second: u8) -> bool {
        self.shared.starts.allows(first, bit(second))
    }

    /// The place of the tool with exactly this name.
    fn index_of(&self, name: &str) -> Option<usize> {
        self.shared.exact.get(name).copied()
    }

    /// The tool that `written` stands for, whatever its case, separators and prefix, and without
    /// its namespace where only one tool is meant.
    pub(crate) fn find(&self, written: &str) -> Named<'_> {
        if self.shared.any && !written.trim_ascii().is_empty() {
            return Named::Anything;
        }
        let at = self
            .index_of(written)
            .or_else(|| self.find_loosely(written));
        let tool = at.and_then(|at| self.shared.tools.get(at));
        tool.map_or(Named::Unknown, Named::Bound)
    }

    /// True when `written` stands for a bound tool, or could be the name of any.
    pub(crate) fn binds(&self, written: &str) -> bool {
        match self.find(written) {
            Named::Bound(_) => true,
            Named::Anything => is_identifier(written),
            Named::Unknown => false,
        }
    }

    /// True when a tool has exactly this name.
    pub(crate) fn binds_exactly(&self, name: &str) -> bool {
        self.index_of(name).is_some()
    }

    /// The names of the parameters of the tool that `name` stands for, as far as it says which it has.
    pub(crate) fn parameters(&self, name: &str) -> &[String] {
        self.find(name).tool().map_or(&[], |tool| &tool.parameters)
    }

    /// True when the tool that `name` stands for has this parameter.
    pub(crate) fn has_parameter(&self, name: &str, parameter: &str) -> bool {
        let parameters = self.parameters(name).iter().map(String::as_str);
        match_key(parameter, parameters).is_some()
    }

    /// True when the tool that `name` stands for has a parameter of exactly this name.
    pub(crate) fn has_exactly(&self, name: &str, parameter: &str) -> bool {
        self.parameters(name).iter().any(|name| name == parameter)
    }

    /// True when the tool that `name` stands for can be called with one text and no more, and not
    /// with less.
    pub(crate) fn takes_one_text(&self, name: &str) -> bool {
        let schema = self.find(name).tool().and_then(BoundTool::schema);
        schema.is_some_and(|schema| {
            let mut names = schema.properties();
            let text = names.next().map(|first| (first.to_owned(), "text".into()));
            let is_one = names.next().is_none();
            let fits = text.is_some_and(|text| schema.fits(&[text].into_iter().collect()));
            fits && (is_one || !schema.fits(&Arguments::new()))
        })
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.shared.tools.iter().map(|tool| &tool.definition.name);
        formatter.debug_list().entries(names).finish()
    }
}

fn note(names: &mut Spellings, name: String, at: usize) {
    let found = names.entry(name).or_insert(Some(at));
    *found = found.filter(|found| *found == at);
}

#[cfg(test)]
mod tests;

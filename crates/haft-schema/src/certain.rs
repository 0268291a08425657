//! Decides about the arguments of a call that still break the schema once they are coerced: a call
//! stays one where what it means is certain.
//!
//! Schemas are wrong about fractions and items of lists as often as models, so these pass. An
//! unknown name with one certain meaning is mapped as for a call that is run. And a choice is left
//! out that an optional list does not have which only narrows what the call is about, as in
//! `{"name": "Hall Fan", "kinds": ["fan"]}`, if the rest still says what is meant: other choices of
//! the list, or the name or the id of the one thing. A single choice, such as a mode or a unit, says
//! what is to be done, and is never left out; neither is text in place of the list.

use haft_core::Arguments;
use serde_json::Value;

use crate::path::{escape, unescape};
use crate::{Coerced, CompiledSchema, Guessing, Repair, RepairKind, SchemaView, Violations};

impl CompiledSchema {
    /// Accepts [coerced](Self::coerce_with) arguments which fit, or whose meaning is certain all the
    /// same. Of a destructive tool, no choice is left out.
    ///
    /// ```
    /// use haft_schema::{CompiledSchema, Guessing};
    /// use serde_json::json;
    ///
    /// let kinds = json!({"type": "array", "items": {"enum": ["door", "blind"]}});
    /// let schema = CompiledSchema::new(&json!({
    ///     "type": "object",
    ///     "properties": {"name": {"type": "string"}, "kinds": kinds},
    /// }))?;
    /// let written = json!({"name": "Hall", "kinds": ["roller"]}).as_object().cloned().unwrap_or_default();
    /// let coerced = schema.coerce(written);
    /// let settled = schema.settle(coerced.clone(), Guessing::Forbidden, false)?;
    /// assert_eq!(settled.arguments, *json!({"name": "Hall"}).as_object().unwrap());
    /// assert!(schema.settle(coerced, Guessing::Forbidden, true).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The violations that remain, for the model to read.
    pub fn settle(
        &self,
        mut coerced: Coerced,
        guessing: Guessing,
        is_destructive: bool,
    ) -> Result<Coerced, Violations> {
        let Err(violations) = self.validate(&coerced.arguments) else {
            return Ok(coerced);
        };
        let arguments = &coerced.arguments;
        if violations
            .iter()
            .all(|violation| self.is_clear(arguments, &violation.path))
        {
            return Ok(coerced);
        }
        let narrowed = || {
            let narrowed = self.without_unknown_choices(arguments);
            narrowed.filter(|narrowed| !is_destructive && self.fits(&narrowed.arguments))
        };
        let mapped = self.check_with(arguments.clone(), guessing);
        let settled = mapped.ok().or_else(narrowed).ok_or(violations)?;
        coerced.repairs.extend(settled.repairs);
        coerced.arguments = settled.arguments;
        Ok(coerced)
    }

    /// True for a value that was read without doubt and is refused all the same: a fraction where a
    /// whole number is wanted, an item of another kind than its list has. Whoever runs the tool
    /// checks it again, and says so.
    fn is_clear(&self, arguments: &Arguments, pointer: &str) -> bool {
        let mut view = Some(self.view());
        let mut value: Option<&Value> = None;
        let mut in_list = false;
        for (level, step) in pointer.split('/').skip(1).enumerate() {
            let step = unescape(step);
            in_list = value.is_some_and(Value::is_array);
            view = view.and_then(|view| match in_list {
                true => view.item(),
                false => view.property(&step),
            });
            value = match value {
                _ if level == 0 => arguments.get(&step),
                Some(Value::Array(items)) => step.parse().ok().and_then(|at: usize| items.get(at)),
                value => value.and_then(|value| value.get(&step)),
            };
        }
        let Some((kinds, value)) = view.map(SchemaView::kinds).zip(value) else {
            return false;
        };
        match value {
            Value::Number(number) => {
                (number.is_f64() && kinds.takes_number()) || (in_list && !kinds.takes_number())
            }
            Value::String(_) => in_list && !kinds.takes_text(),
            Value::Array(_) => in_list && !kinds.takes_list(),
            _ => false,
        }
    }

    /// The arguments without choices that do not exist; none where there are none, or where they
    /// may matter.
    fn without_unknown_choices(&self, arguments: &Arguments) -> Option<Coerced> {
        let mut narrowed = Coerced {
            arguments: arguments.clone(),
            repairs: Vec::new(),
        };
        for (key, value) in arguments {
            let Some((choices, items)) = self.optional_choices(key).zip(value.as_array()) else {
                continue;
            };
            let (known, unknown): (Vec<&Value>, Vec<&Value>) =
                items.iter().partition(|item| choices.contains(item));
            if unknown.is_empty() || !unknown.iter().all(|item| item.is_string()) {
                continue;
            }
            if !known.is_empty() {
                let known = known.into_iter().cloned().collect();
                narrowed.arguments.insert(key.clone(), Value::Array(known));
            } else if names_one_thing(arguments) {
                narrowed.arguments.remove(key);
            } else {
                return None;
            }
            narrowed.repairs.extend(unknown.into_iter().map(|item| {
                let path = format!("/{}", escape(key));
                Repair::new(path, RepairKind::ChoiceDropped, item.to_string(), "")
            }));
        }
        (!narrowed.repairs.is_empty()).then_some(narrowed)
    }

    /// The choices of a parameter that is an optional list of them.
    fn optional_choices(&self, key: &str) -> Option<&Vec<Value>> {
        let schema = self.schema();
        let required = schema.get("required").and_then(Value::as_array);
        if required.is_some_and(|names| names.iter().any(|name| name == key)) {
            return None;
        }
        let parameter = schema.get("properties")?.get(key)?;
        parameter.get("items")?.get("enum")?.as_array()
    }
}

/// True where an argument is the name or the id of a thing.
fn names_one_thing(arguments: &Arguments) -> bool {
    arguments.iter().any(|(key, value)| {
        let is_given = value.as_str().is_some_and(|text| !text.trim().is_empty());
        is_given && is_name_of_a_thing(key)
    })
}

/// True for `name`, `device_name`, `deviceName`, `id`, `entity_id` and `entityId`.
fn is_name_of_a_thing(key: &str) -> bool {
    const WORDS: [&str; 4] = ["name", "Name", "id", "Id"];
    WORDS.iter().any(|word| match key.strip_suffix(word) {
        Some(before) => {
            let is_humped = word.starts_with(|c: char| c.is_uppercase());
            before.is_empty() || is_humped || before.ends_with(['_', '-'])
        }
        None => false,
    })
}

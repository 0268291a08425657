//! Arguments that have the names of others that were right: what is wanted of each of them alone.
//!
//! The calls of a tool have mostly the same arguments. Once they were right, their names need not
//! be looked for in the schema again, only their values looked at.

use haft_core::Arguments;
use serde_json::Value;

use crate::view::Kinds;
use crate::{CompiledSchema, PropertyKinds};

/// What the schema says about one argument.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its place among the properties.
    pub(crate) place: usize,
    /// The types whose values it takes without a check.
    pub(crate) simple: Kinds,
    /// The sorts of values that it takes at all.
    pub(crate) kinds: PropertyKinds,
}

impl Member {
    /// What sorts of values it takes, as [`SchemaView::kinds`](crate::SchemaView::kinds) says.
    #[must_use]
    pub fn kinds(self) -> PropertyKinds {
        self.kinds
    }
}

impl CompiledSchema {
    /// What is wanted of each of the `arguments`, in their order, if they are right and each can be
    /// judged by itself: then other values under the same names are right together where
    /// [`takes`](Self::takes) says so of every one of them.
    ///
    /// ```
    /// use haft_schema::CompiledSchema;
    /// use serde_json::json;
    ///
    /// let schema = CompiledSchema::new(&json!({
    ///     "type": "object", "properties": {"city": {"type": "string"}},
    /// }))?;
    /// let arguments = json!({"city": "Oslo"}).as_object().cloned().unwrap_or_default();
    /// let members = schema.members(&arguments).unwrap_or_default();
    /// assert!(schema.takes(members[0], &json!("Rome")) && !schema.takes(members[0], &json!(5)));
    /// # Ok::<(), haft_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn members(&self, arguments: &Arguments) -> Option<Vec<Member>> {
        self.fits(arguments).then_some(())?;
        let view = self.view();
        let members = arguments.keys().map(|name| {
            let (place, simple) = self.shape().member(name)?;
            let kinds = view.property_kinds(name);
            Some(Member {
                place,
                simple,
                kinds,
            })
        });
        members.collect()
    }

    /// True when `value` is right for the member.
    #[must_use]
    #[inline]
    pub fn takes(&self, member: Member, value: &Value) -> bool {
        let is_simple = match value {
            Value::String(_) => member.simple.overlap(Kinds::TEXT),
            Value::Bool(_) => member.simple.overlap(Kinds::BOOLEAN),
            _ => false,
        };
        is_simple || self.shape().member_matches(member, value)
    }
}

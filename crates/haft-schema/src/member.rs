//! A fast path for arguments with the same names as earlier valid ones.
//!
//! Calls of a tool usually have the same arguments. Once they were valid, the names need not be
//! looked up in the schema again; only the values are checked.

use haft_core::Arguments;
use serde_json::Value;

use crate::view::Kinds;
use crate::{CompiledSchema, PropertyKinds};

/// The requirements for one argument.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its index among the properties.
    pub(crate) place: usize,
    /// The types whose values are accepted without a further check.
    pub(crate) simple: Kinds,
    /// The types that it accepts at all.
    pub(crate) kinds: PropertyKinds,
}

impl Member {
    /// The types that it accepts, as in [`SchemaView::kinds`](crate::SchemaView::kinds).
    #[must_use]
    pub fn kinds(self) -> PropertyKinds {
        self.kinds
    }
}

impl CompiledSchema {
    /// The requirements for each of `arguments`, in their order, if they are valid and independent
    /// of each other: other values with the same names are valid if [`takes`](Self::takes) accepts
    /// each of them.
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

    /// True if `value` is valid for the member.
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

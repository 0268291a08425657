//! Special tokens by their ids, for engines that do not write them out.

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::{Extractor, Piece};

/// The special tokens of a model. Many engines leave them out of the text of a reply and hand out
/// their ids; with this, an [`Extractor`] reads an id as it reads the text of its token.
///
/// ```
/// use haft_extract::{ExtractOptions, Extraction, Extractor, SpecialTokens, ToolSet};
///
/// let tokens = SpecialTokens::from_iter([(9, "[TOOL_CALLS]".to_owned())]);
/// let mut extractor = Extractor::new(&ToolSet::any(), ExtractOptions::default());
/// let mut extraction = Extraction::default();
/// let mut sink = |piece: haft_extract::Piece<'_>| extraction.add(piece);
/// assert!(extractor.push_special_token(&tokens, 9, &mut sink));
/// extractor.push(br#"[{"name": "get_time", "arguments": {}}]"#, &mut sink);
/// extractor.finish(&mut sink);
/// assert_eq!(extraction.calls[0].name, "get_time");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialTokens {
    texts: FxHashMap<u32, String>,
}

impl SpecialTokens {
    /// Those that a `tokenizer.json` lists as `added_tokens` (`huggingface/tokenizers`,
    /// `tokenizers/src/tokenizer/added_vocabulary.rs`). Entries of another shape are left out.
    #[must_use]
    pub fn of_tokenizer(tokenizer: &Value) -> Self {
        let listed = tokenizer.get("added_tokens").and_then(Value::as_array);
        let token = |token: &Value| {
            let id = u32::try_from(token.get("id")?.as_u64()?).ok()?;
            Some((id, token.get("content")?.as_str()?.to_owned()))
        };
        listed.into_iter().flatten().filter_map(token).collect()
    }
}

impl FromIterator<(u32, String)> for SpecialTokens {
    /// Ids with the texts of their tokens.
    fn from_iter<T: IntoIterator<Item = (u32, String)>>(tokens: T) -> Self {
        let texts = tokens.into_iter().collect();
        Self { texts }
    }
}

impl Extractor {
    /// Takes in the special token with this id, as [`push_text`](Self::push_text) takes in its text.
    /// False, and nothing is read, where `tokens` has no such id.
    pub fn push_special_token(
        &mut self,
        tokens: &SpecialTokens,
        id: u32,
        sink: &mut dyn FnMut(Piece<'_>),
    ) -> bool {
        let text = tokens.texts.get(&id);
        text.inspect(|text| self.push_text(text, sink)).is_some()
    }
}

#[cfg(test)]
mod tests;

//! The record of questions: its location, and the warnings when it cannot be written.

use std::path::PathBuf;
use std::time::Duration;

use etcetera::BaseStrategy;
use haft::{AgentOptions, AttemptStore};
use tokio::time::timeout;

use crate::failure::Failure;
use crate::settings::Settings;
use crate::trace::Trace;

/// How long a command waits for the record after the answer; it takes a few milliseconds unless
/// another process holds the file.
const MIN_WAIT: Duration = Duration::from_secs(2);

/// The record of one question, if recording is enabled.
#[derive(Debug)]
pub(crate) struct Recording(Option<AttemptStore>);

impl Recording {
    /// Enables recording in the store that was named or in a file of the user, unless the settings
    /// disable it or there is no state folder. Replays are not recorded.
    pub(crate) fn begin(
        settings: &Settings,
        options: &mut AgentOptions,
        store: Option<&str>,
    ) -> Result<Self, Failure> {
        let model = settings.model.value.as_deref().unwrap_or_default();
        let is_wanted = settings.attempts.value != Some(false) && !model.starts_with("replay:");
        options.attempts = match store {
            _ if !is_wanted => None,
            Some(address) => Some(AttemptStore::connect(address)?),
            None => file().ok().map(AttemptStore::open),
        };
        Ok(Self(options.attempts.clone()))
    }

    /// Waits for the record. A write error is only a warning.
    pub(crate) async fn finish(&self, trace: &Trace) {
        let Some(store) = &self.0 else { return };
        match timeout(MIN_WAIT, store.flush()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                trace.warning(&format!("this question is not counted: {error}"));
                if let Some(hint) = error.hint() {
                    trace.hint(hint);
                }
            }
            Err(_) => {
                let place = store.place();
                trace.warning(&format!("this question is not counted: {place} is in use"));
            }
        }
    }
}

/// The file of the record.
pub(crate) fn file() -> Result<PathBuf, Failure> {
    state_file("attempts.db")
}

pub(crate) fn state_file(name: &str) -> Result<PathBuf, Failure> {
    let folders = etcetera::choose_base_strategy()
        .map_err(|_| Failure::new("There is no home folder").with_hint("set HOME"))?;
    // Not every system has a folder for state.
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Ok(folder.join("haft").join(name))
}

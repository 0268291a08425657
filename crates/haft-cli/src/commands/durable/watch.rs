//! `haft runs watch`: the steps of a run as they are recorded, on stderr, and its answer.

use std::time::Duration;

use haft::durable::{DurableStore, RunState};
use tokio::time::sleep;

use super::page;
use crate::failure::Failure;
use crate::output::{print_text, say};

/// How often the store is asked.
const LOOK: Duration = Duration::from_millis(500);

/// Shows a run until it has ended.
pub(super) async fn watch(store: &DurableStore, run: &str) -> Result<(), Failure> {
    let mut shown = 0;
    let mut waited = None;
    loop {
        // The state first: what is recorded before the end is then among the steps.
        let state = store.show(run).await?.state;
        let steps = store.steps(run).await?;
        for (number, step) in steps.iter().enumerate().skip(shown) {
            say(page::step(number, step));
        }
        shown = steps.len();
        match state {
            RunState::Answered { text } => return print_text(&text),
            state if state.has_ended() => return Err(Failure::new(page::sentence(&state))),
            RunState::Waiting(pending) if waited != Some(pending.number) => {
                waited = Some(pending.number);
                say(page::waiting(&pending));
            }
            _ => {}
        }
        sleep(LOOK).await;
    }
}

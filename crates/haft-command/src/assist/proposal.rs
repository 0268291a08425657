//! What the engine would call for each clause of a question, and how sure it is of that.

use super::calls::Tools;
use super::home::Home;
use super::order::Order;
use super::resolve::Meant;
use crate::catalog::Wanted;

/// What one clause of a question asks for, as calls of the bound tools.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseProposal {
    /// The clause as it was said.
    pub clause: String,
    /// The calls, and how sure they are.
    pub understanding: Understanding,
}

/// How far a clause was understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Understanding {
    /// To its last word: these calls, in order, are what it asks for.
    Understood(Vec<Wanted>),
    /// One of these is meant, and it was not said which; each choice is a list of calls.
    Ambiguous(Vec<Vec<Wanted>>),
    /// Nothing should be changed.
    NotUnderstood,
}

/// What `order` asks for with `tools`.
pub(super) fn understanding(order: &Order, home: &Home, tools: &Tools<'_>) -> Understanding {
    if let Meant::Which(devices) = &order.meant {
        let choices = devices.iter().filter_map(|device| {
            let one = Order {
                meant: Meant::Devices(vec![*device]),
                ..order.clone()
            };
            tools.calls(&one, home)
        });
        return Understanding::Ambiguous(choices.collect());
    }
    match tools.calls(order, home) {
        Some(calls) => Understanding::Understood(calls),
        None => Understanding::NotUnderstood,
    }
}

/// What each of `orders` asks for with `tools`.
pub(crate) fn proposals<'a>(
    orders: impl Iterator<Item = &'a Order>,
    home: &Home,
    tools: &Tools<'_>,
) -> Vec<ClauseProposal> {
    orders
        .map(|order| ClauseProposal {
            clause: order.said.clone(),
            understanding: understanding(order, home, tools),
        })
        .collect()
}

//! A command that was read against the devices of a home.

use super::act::Act;
use super::home::{Domain, Home};
use super::resolve::Meant;

/// What is to be done, and to what.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    pub(crate) act: Act,
    pub(crate) meant: Meant,
    /// The only kind of device that the verb speaks of.
    pub(super) only: Option<Domain>,
    /// The words of the target, as they were said.
    pub(crate) target: String,
    /// The whole clause, as it was said.
    pub(crate) said: String,
}

impl Order {
    fn may_be_done_to(&self, device: usize, home: &Home) -> bool {
        home.device(device).is_some_and(|device| {
            self.act.domains().contains(&device.domain)
                && self.only.is_none_or(|only| only == device.domain)
        })
    }
}

/// Makes "it" what was named in the order before.
pub(crate) fn settle<'a>(orders: impl Iterator<Item = &'a mut Order>, home: &Home) {
    let mut named: Vec<usize> = Vec::new();
    for order in orders {
        if order.meant == Meant::Pronoun
            && !named.is_empty()
            && named
                .iter()
                .all(|device| order.may_be_done_to(*device, home))
        {
            order.meant = Meant::Devices(named.clone());
        }
        named = match &order.meant {
            Meant::Devices(devices) => devices.clone(),
            _ => Vec::new(),
        };
    }
}

/// True when one device is to be two things that exclude each other: the user changed their mind.
pub(crate) fn conflicts(orders: &[&Order]) -> bool {
    orders.iter().enumerate().any(|(at, order)| {
        let rest = orders.iter().skip(at + 1);
        rest.clone().any(|other| {
            shares_device(&order.meant, &other.meant) && order.act.excludes(&other.act)
        })
    })
}

fn shares_device(one: &Meant, other: &Meant) -> bool {
    match (one, other) {
        (Meant::Devices(one), Meant::Devices(other)) => {
            one.iter().any(|device| other.contains(device))
        }
        _ => false,
    }
}

//! What the clauses of a text are together: one that is not understood stops all that would change
//! things, politeness falls away, and "it" is what was named before.

use super::{Clause, there};
use crate::assist::{self, Home, Order};
use crate::doubt::mentions_command_in;
use crate::intent::{Action, Cause, Doubt, Intent, Target};
use haft_select::english::one_of;

/// More commands than anybody says in one breath.
const MOST_COMMANDS: usize = 12;

/// The intents of the clauses of one text.
pub(super) fn settle(mut clauses: Vec<Clause>, home: Option<&Home>) -> Vec<Intent> {
    if clauses.iter().any(|clause| asks(&clause.intent)) {
        clauses.retain(|clause| asks(&clause.intent));
    }
    clauses.dedup_by(|next, before| {
        let are_unknown = (&next.intent, &before.intent) == (&Intent::Unknown, &Intent::Unknown);
        if are_unknown && next.cause == before.cause {
            before.words = format!("{} {}", before.words, next.words);
        }
        are_unknown && next.cause == before.cause
    });
    resolve(&mut clauses);
    there::resolve(&mut clauses);
    if let Some(home) = home {
        assist::settle(
            clauses
                .iter_mut()
                .filter_map(|clause| order_in(&mut clause.intent)),
            home,
        );
    }
    if is_contradictory(&clauses) {
        return vec![Intent::Corrected];
    }
    // Among several commands each is for a thing at home: "put on a film" is another wish.
    if clauses.iter().filter(|clause| acts(&clause.intent)).count() > 1 {
        for clause in clauses.iter_mut().filter(|clause| !is_for_things(clause)) {
            clause.intent = Intent::Unknown;
        }
    }
    leave_open(&mut clauses);
    if let Some(doubt) = doubt(&clauses) {
        clauses.retain(|clause| !acts(&clause.intent) && !stops(&clause.intent));
        let rest = clauses.into_iter().map(|clause| clause.intent);
        return rest.chain([Intent::Stopped(doubt)]).collect();
    }
    // "Turn on the lamp and leave the fan off" is answered by what is done.
    if clauses.iter().any(|clause| acts(&clause.intent)) {
        clauses.retain(|clause| clause.intent != Intent::Keep);
    }
    leave_out_unclear(&mut clauses);
    clauses.into_iter().map(|clause| clause.intent).collect()
}

fn order_in(intent: &mut Intent) -> Option<&mut Order> {
    match intent {
        Intent::Order(order) => Some(order),
        _ => None,
    }
}

/// Beside an order that leads to a question nothing is changed either.
fn leave_out_unclear(clauses: &mut Vec<Clause>) {
    let is_open =
        |clause: &Clause| matches!(&clause.intent, Intent::Order(order) if !order.meant.is_clear());
    if clauses.iter().any(is_open) {
        clauses.retain(|clause| !acts(&clause.intent) || is_open(clause));
    }
}

/// Among several commands one that names nothing is not understood: "lock and unlock the door" is
/// no wish to unlock it. "It" may be what was spoken of before.
fn leave_open(clauses: &mut [Clause]) {
    if clauses.iter().filter(|clause| acts(&clause.intent)).count() < 2 {
        return;
    }
    for clause in clauses {
        let names_nothing = matches!(
            &clause.intent,
            Intent::Control { targets, .. } if targets.as_slice() == [Target::Unnamed]
        );
        let mut words = clause.words.split_whitespace();
        if names_nothing && !words.any(|word| one_of(&word.to_lowercase(), "it|them|that|those")) {
            clause.intent = Intent::Unknown;
        }
    }
}

/// False for what is said for politeness alone.
fn asks(intent: &Intent) -> bool {
    !matches!(
        intent,
        Intent::Nothing | Intent::Greeting | Intent::Farewell | Intent::Thanks
    )
}

fn acts(intent: &Intent) -> bool {
    matches!(intent, Intent::Control { .. } | Intent::Order(_))
}

fn is_for_things(clause: &Clause) -> bool {
    match &clause.intent {
        Intent::Control { targets, .. } => targets.iter().all(Target::is_thing),
        _ => true,
    }
}

/// True for a clause beside which nothing may be changed.
fn stops(intent: &Intent) -> bool {
    matches!(
        intent,
        Intent::Unknown | Intent::Later | Intent::Negated | Intent::Corrected
    )
}

/// Why the commands among `clauses` may not be carried out, or what beside questions was not
/// understood.
fn doubt(clauses: &[Clause]) -> Option<Doubt> {
    let is_acting = clauses.iter().any(|clause| acts(&clause.intent));
    if is_acting && clauses.len() > MOST_COMMANDS {
        return Some(Doubt {
            cause: Cause::TooMany,
            words: Vec::new(),
            acts: true,
        });
    }
    let unknown = |clause: &&Clause| clause.intent == Intent::Unknown;
    let speaks_of_one = clauses
        .iter()
        .filter(unknown)
        .any(|clause| clause.cause == Cause::Question || mentions_command_in(&clause.words));
    let stopping: Vec<&Clause> = match is_acting {
        true => clauses
            .iter()
            .filter(|clause| stops(&clause.intent))
            .collect(),
        // Alone it is beyond the engine as a whole, which is said in more words.
        false if clauses.len() > 1 || speaks_of_one => clauses.iter().filter(unknown).collect(),
        false => Vec::new(),
    };
    let first = stopping.first()?;
    let cause = match first.intent {
        Intent::Later => Cause::Later,
        Intent::Negated => Cause::Negation,
        Intent::Corrected => Cause::Correction,
        _ => first.cause,
    };
    Some(Doubt {
        cause,
        words: stopping.iter().map(|clause| clause.words.clone()).collect(),
        acts: is_acting || speaks_of_one,
    })
}

/// Makes "it" what was named before in the same text.
fn resolve(clauses: &mut [Clause]) {
    let mut named: Option<Target> = None;
    for clause in clauses {
        if let Intent::Control { targets, .. } | Intent::Question { targets, .. } =
            &mut clause.intent
        {
            if let ([Target::Unnamed], Some(named)) = (targets.as_slice(), &named) {
                *targets = vec![named.clone()];
            }
            named = match targets.as_slice() {
                [only] if *only != Target::Unnamed => Some(only.clone()),
                _ => None,
            };
        }
    }
}

/// True when one device is to be two things, as in "the light on, off": the user changed their mind.
fn is_contradictory(clauses: &[Clause]) -> bool {
    let mut wishes: Vec<(Action, &Target)> = Vec::new();
    for clause in clauses {
        if let Intent::Control { action, targets } = &clause.intent {
            wishes.extend(targets.iter().map(|target| (*action, target)));
        }
    }
    let clash = |(at, (action, target)): (usize, &(Action, &Target))| {
        let rest = wishes.iter().skip(at + 1);
        rest.clone().any(|(other, same)| {
            *same != &Target::Unnamed && same == target && excludes(*action, *other)
        })
    };
    let orders = clauses.iter().filter_map(|clause| match &clause.intent {
        Intent::Order(order) => Some(order),
        _ => None,
    });
    wishes.iter().enumerate().any(clash) || assist::conflicts(&orders.collect::<Vec<_>>())
}

/// True when a device cannot be both at once.
fn excludes(one: Action, other: Action) -> bool {
    use Action::{Brighter, Level, On, Temperature, Warmer};
    let goes_with_on = |action| {
        matches!(
            action,
            On | Level(_) | Brighter(_) | Temperature(_) | Warmer(_)
        )
    };
    let is_on_and_more = (one == On && goes_with_on(other)) || (other == On && goes_with_on(one));
    one != other && !is_on_and_more
}

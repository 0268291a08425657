use std::num::NonZeroU16;

use super::*;

fn share(owner: &str, weight: u16) -> QueueShare {
    QueueShare {
        owner: owner.into(),
        weight: NonZeroU16::new(weight).unwrap(),
    }
}

/// The owners in the order in which they are served while all of them keep waiting.
fn served(fairness: &mut Fairness, shares: &[QueueShare], count: usize) -> String {
    let mut order = String::new();
    for _ in 0..count {
        let next = shares
            .iter()
            .min_by_key(|share| fairness.start(Some(share)))
            .unwrap();
        fairness.serve(Some(next));
        order.push_str(&next.owner);
    }
    order
}

#[test]
fn users_with_the_same_weight_take_turns() {
    let mut fairness = Fairness::default();
    let shares = [share("a", 1), share("b", 1), share("c", 1)];
    assert_eq!(served(&mut fairness, &shares, 9), "abcabcabc");
}

#[test]
fn a_weight_of_four_is_served_four_times_as_often() {
    let mut fairness = Fairness::default();
    let order = served(&mut fairness, &[share("a", 4), share("b", 1)], 50);
    assert_eq!(order.matches('a').count(), 40);
}

#[test]
fn a_user_who_was_idle_gets_no_credit_for_it() {
    let mut fairness = Fairness::default();
    served(&mut fairness, &[share("a", 1)], 100);
    let order = served(&mut fairness, &[share("a", 1), share("b", 1)], 10);
    assert_eq!(order.matches('b').count(), 5);
}

#[test]
fn users_whose_time_has_passed_are_forgotten() {
    let mut fairness = Fairness::default();
    for number in 0..5000 {
        fairness.serve(Some(&share(&number.to_string(), 1)));
        served(&mut fairness, &[share("a", 1)], 1);
    }
    assert!(fairness.ends.len() <= KEPT + 1, "{}", fairness.ends.len());
}

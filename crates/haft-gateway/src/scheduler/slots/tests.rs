use std::num::NonZeroU16;
use std::pin::pin;

use futures_util::FutureExt;

use super::state::{CACHED, LOADED};
use super::*;
use crate::scheduler::breaker::Verdict;

/// Upstreams with these maximum numbers of requests.
fn slots(most: &[Option<usize>]) -> Arc<Slots> {
    let slots = most.iter().map(|most| Slot::new(*most, false));
    Arc::new(Slots::new(slots.collect(), 3))
}

fn wanted(upstreams: &[usize]) -> Wanted {
    let choices = upstreams.iter().map(|upstream| Choice {
        upstream: *upstream,
        is_loaded: true,
    });
    Wanted {
        choices: choices.collect(),
        session: None,
        share: None,
        context: None,
    }
}

/// A request of this user for the first upstream.
fn of_user(owner: &str) -> Wanted {
    Wanted {
        share: Some(QueueShare {
            owner: owner.into(),
            weight: NonZeroU16::MIN,
        }),
        ..wanted(&[0])
    }
}

fn of_session(session: u64) -> Wanted {
    Wanted {
        session: Some(session),
        ..wanted(&[0, 1])
    }
}

fn in_flight(slots: &Arc<Slots>) -> Vec<usize> {
    slots.look(|_, slot, _| slot.in_flight)
}

async fn take(slots: &Arc<Slots>, wanted: Wanted) -> Permit {
    slots.take(wanted).await.unwrap()
}

#[tokio::test]
async fn the_upstream_with_the_least_load_is_chosen() {
    let slots = slots(&[None, None, None]);
    let mut permits = Vec::new();
    for _ in 0..7 {
        permits.push(take(&slots, wanted(&[0, 1, 2])).await);
    }
    assert_eq!(in_flight(&slots), [3, 2, 2]);
    permits.retain(|permit| permit.upstream != 1);
    assert_eq!(take(&slots, wanted(&[0, 1, 2])).await.upstream, 1);
    // With equal load, they take turns.
    permits.clear();
    let mut turns = Vec::new();
    for _ in 0..6 {
        turns.push(take(&slots, wanted(&[0, 1])).await.upstream);
    }
    turns.dedup();
    assert_eq!(turns.len(), 6, "{turns:?}");
}

#[tokio::test]
async fn a_conversation_keeps_its_upstream_until_that_costs_more_than_it_saves() {
    let slots = slots(&[None, None]);
    let home = take(&slots, of_session(1)).await.upstream;
    for other in 2..6 {
        drop(take(&slots, of_session(other)).await);
    }
    let mut busy = Vec::new();
    for _ in 0..=CACHED {
        let permit = take(&slots, of_session(1)).await;
        assert_eq!(permit.upstream, home);
        busy.push(permit);
    }
    let elsewhere = take(&slots, of_session(1)).await;
    assert_ne!(elsewhere.upstream, home);
}

#[tokio::test]
async fn a_model_in_memory_is_worth_a_wait() {
    let slots = slots(&[None, None]);
    let mut wanted = wanted(&[0, 1]);
    wanted.choices[0].is_loaded = false;
    let mut permits = Vec::new();
    for _ in 0..=LOADED {
        let permit = take(&slots, wanted.clone()).await;
        assert_eq!(permit.upstream, 1);
        permits.push(permit);
    }
    assert_eq!(take(&slots, wanted).await.upstream, 0);
}

#[tokio::test]
async fn waiting_requests_are_served_in_their_order() {
    let slots = slots(&[Some(1), Some(1)]);
    let first = take(&slots, wanted(&[0])).await;
    let mut second = pin!(slots.take(wanted(&[0])));
    assert!(second.as_mut().now_or_never().is_none());
    let mut third = pin!(slots.take(wanted(&[0, 1])));
    // The other upstream has a free slot, for requests that can use it.
    let third = third.as_mut().now_or_never().unwrap().unwrap();
    assert_eq!(third.upstream, 1);
    let mut fourth = pin!(slots.take(wanted(&[0, 1])));
    assert!(fourth.as_mut().now_or_never().is_none());
    assert_eq!(slots.look(|_, _, waiting| waiting), [2, 1]);
    drop(first);
    // The second request has the permit already, although it was not polled yet.
    assert!(slots.take_now(&wanted(&[0])).is_none());
    assert!(fourth.as_mut().now_or_never().is_none());
    let second = second.await.unwrap();
    assert_eq!(second.upstream, 0);
    drop(third);
    assert_eq!(fourth.await.unwrap().upstream, 1);
}

#[tokio::test]
async fn a_full_queue_refuses_requests_until_one_leaves() {
    let slots = slots(&[Some(1)]);
    let permit = take(&slots, wanted(&[0])).await;
    let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(slots.take(wanted(&[0])))).collect();
    for waiting in &mut waiting {
        assert!(waiting.as_mut().now_or_never().is_none());
    }
    let error = slots.take(wanted(&[0])).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Overloaded);
    assert_eq!(error.retry_after(), Some(COME_AGAIN));
    waiting.pop();
    let mut next = Box::pin(slots.take(wanted(&[0])));
    assert!(next.as_mut().now_or_never().is_none());
    // The permit of a dropped request goes to the next one.
    drop(permit);
    waiting.clear();
    assert_eq!(next.await.unwrap().upstream, 0);
    assert_eq!(in_flight(&slots), [0]);
}

#[tokio::test(start_paused = true)]
async fn waiting_has_a_timeout() {
    let slots = slots(&[Some(1)]);
    let _place = take(&slots, wanted(&[0])).await;
    let begin = Instant::now();
    let error = slots.take(wanted(&[0])).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Overloaded);
    assert_eq!(begin.elapsed(), WAIT);
    assert_eq!(slots.look(|_, _, waiting| waiting), [0]);
}

#[tokio::test]
async fn a_failing_upstream_is_left_out_while_another_works() {
    let slots = slots(&[None, None]);
    let permit = take(&slots, wanted(&[0])).await;
    assert!(permit.failed(Verdict::Gone).is_some());
    for _ in 0..3 {
        let permit = take(&slots, wanted(&[0, 1])).await;
        assert_eq!(permit.upstream, 1);
        permit.done();
    }
    // A failing upstream is better than none.
    assert_eq!(take(&slots, wanted(&[0])).await.upstream, 0);
    drop(take(&slots, wanted(&[1])).await);
    slots.with_breaker(0, Breaker::answers);
    let trying = take(&slots, wanted(&[0, 1])).await;
    assert_eq!(trying.upstream, 0);
    assert_eq!(take(&slots, wanted(&[0, 1])).await.upstream, 1);
    trying.began();
    assert_eq!(slots.look(|_, slot, _| slot.breaker.is_closed()), [true; 2]);
    assert_eq!(slots.look(|_, slot, _| slot.failures), [1, 0]);
}

#[tokio::test]
async fn a_fallback_is_used_only_if_no_other_upstream_works() {
    let slots = vec![Slot::new(Some(1), false), Slot::new(None, true)];
    let slots = Arc::new(Slots::new(slots, 3));
    let permit = take(&slots, wanted(&[0, 1])).await;
    assert_eq!(permit.upstream, 0);
    // Being busy is not a failure.
    assert!(slots.take_now(&wanted(&[0, 1])).is_none());
    permit.failed(Verdict::Gone);
    assert_eq!(take(&slots, wanted(&[0, 1])).await.upstream, 1);
}

#[tokio::test]
async fn a_user_with_one_request_does_not_wait_for_all_requests_of_another() {
    let slots = Arc::new(Slots::new(vec![Slot::new(Some(1), false)], 100));
    let first = take(&slots, of_user("busy")).await;
    let served = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = Vec::new();
    for (number, user) in ["busy"; 20].iter().chain(&["other"; 2]).enumerate() {
        let (slots_of_task, served, user) = (slots.clone(), served.clone(), *user);
        tasks.push(tokio::spawn(async move {
            let permit = take(&slots_of_task, of_user(user)).await;
            served.lock().unwrap().push(user);
            drop(permit);
        }));
        // Each waits before the next one comes.
        while slots.look(|_, _, waiting| waiting)[0] <= number {
            tokio::task::yield_now().await;
        }
    }
    drop(first);
    for task in tasks {
        task.await.unwrap();
    }
    let served = served.lock().unwrap();
    assert_eq!(served[..4], ["other", "busy", "other", "busy"]);
}

#[tokio::test]
async fn a_full_queue_refuses_whoever_waits_most_often() {
    let slots = slots(&[Some(1)]);
    let _first = take(&slots, of_user("busy")).await;
    let mut waiting: Vec<_> = (0..3)
        .map(|_| Box::pin(slots.take(of_user("busy"))))
        .collect();
    for one in &mut waiting {
        assert!(one.as_mut().now_or_never().is_none());
    }
    let mut other = pin!(slots.take(of_user("other")));
    assert!(other.as_mut().now_or_never().is_none());
    let refused: Vec<bool> = waiting
        .iter_mut()
        .map(|one| one.as_mut().now_or_never().is_some())
        .collect();
    assert_eq!(refused, [false, false, true]);
}

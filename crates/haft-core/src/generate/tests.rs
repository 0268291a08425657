use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use tokio::sync::oneshot;

use super::*;

type Items<T> = BoxStream<'static, Result<T, &'static str>>;

#[tokio::test]
async fn items_come_in_their_order_and_the_error_last() {
    let stream: Items<i32> = generate(|emitter| async move {
        for number in 0..5 {
            emitter.emit(number).await;
        }
        Err("enough")
    });
    let items: Vec<_> = stream.collect().await;
    assert_eq!(items, [Ok(0), Ok(1), Ok(2), Ok(3), Ok(4), Err("enough")]);
}

#[tokio::test]
async fn an_item_is_waited_for_until_it_is_taken() {
    let done = Arc::new(AtomicUsize::new(0));
    let counted = done.clone();
    let mut stream: Items<usize> = generate(|emitter| async move {
        for number in 1..4 {
            emitter.emit(number).await;
            counted.store(number, Ordering::SeqCst);
        }
        Ok(())
    });
    for number in 1..4 {
        assert_eq!(stream.next().await, Some(Ok(number)));
        assert_eq!(done.load(Ordering::SeqCst), number - 1);
    }
    assert_eq!(stream.next().await, None);
    assert_eq!(done.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn many_may_emit_at_the_same_time() {
    let stream: Items<usize> = generate(|emitter| async move {
        // Each of these is woken for itself.
        let each = (0..100).map(|number| {
            let emitter = emitter.clone();
            async move {
                emitter.emit(number).await;
                emitter.emit(number).await;
            }
        });
        let (few, many): (Vec<_>, Vec<_>) = each.enumerate().partition(|(place, _)| *place < 10);
        let few = join_all(few.into_iter().map(|(_, one)| one));
        let many = many.into_iter().map(|(_, one)| one);
        let many = many.collect::<FuturesUnordered<_>>().collect::<Vec<()>>();
        futures_util::future::join(few, many).await;
        Ok(())
    });
    let mut items: Vec<_> = stream.map(Result::unwrap).collect().await;
    items.sort_unstable();
    assert_eq!(items, (0..200).map(|place| place / 2).collect::<Vec<_>>());
}

#[tokio::test]
async fn others_may_emit_while_the_body_waits_and_after_it() {
    let (tell, received) = oneshot::channel();
    let mut stream: Items<&str> = generate(|emitter| async move {
        let other = emitter.clone();
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            other.emit("from elsewhere").await;
            let _ = tell.send(());
            tokio::task::yield_now().await;
            other.emit("afterwards").await;
        });
        let _ = received.await;
        emitter.emit("the body").await;
        Ok(())
    });
    let mut items = Vec::new();
    while let Some(item) = stream.next().await {
        items.push(item.unwrap());
    }
    items.sort_unstable();
    assert_eq!(items, ["afterwards", "from elsewhere", "the body"]);
}

#[tokio::test]
async fn without_a_reader_no_emitter_waits() {
    let (tell, received) = oneshot::channel();
    let mut stream: Items<u8> = generate(|emitter| async move {
        let other = emitter.clone();
        tokio::spawn(async move {
            other.emit(1).await;
            other.emit(2).await;
            let _ = tell.send(());
        });
        std::future::pending::<()>().await;
        Ok(())
    });
    assert_eq!(stream.next().await, Some(Ok(1)));
    drop(stream);
    received.await.unwrap();
}

#[tokio::test]
async fn nothing_runs_before_it_is_polled_and_dropping_drops_the_body() {
    struct Counter(Arc<AtomicUsize>);
    impl Drop for Counter {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let ends = Arc::new(AtomicUsize::new(0));
    let received = Counter(ends.clone());
    let mut stream: Items<u8> = generate(|emitter| async move {
        let _told = received;
        emitter.emit(1).await;
        std::future::pending().await
    });
    assert_eq!(ends.load(Ordering::SeqCst), 0);
    assert_eq!(stream.next().await, Some(Ok(1)));
    drop(stream);
    assert_eq!(ends.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_silent_emitter_does_not_wait() {
    Emitter::silent().emit(1).await;
}

use tokio::time::advance;

use super::*;

const ALONE: Division = Division::Divided(1);

/// The bucket of the store, by the definition of a bucket.
struct Store {
    per_minute: f64,
    level: f64,
    at: Instant,
}

impl Store {
    fn new(per_minute: f64) -> Self {
        Self {
            per_minute,
            level: per_minute,
            at: Instant::now(),
        }
    }

    fn exchange(&mut self, told: Exchange) -> Exchanged {
        let minutes = self.at.elapsed().as_secs_f64() / 60.0;
        self.at = Instant::now();
        self.level = (self.level + minutes * self.per_minute).min(self.per_minute) - told.used;
        let granted = self.level.floor().clamp(0.0, told.wanted);
        self.level -= granted;
        Exchanged {
            granted,
            level: self.level,
        }
    }
}

/// Whether a request gets a permit, asking the store where needed.
fn admits(bucket: &mut Bucket, store: &mut Store) -> bool {
    for _ in 0..5 {
        match bucket.take() {
            Taken::Now => {
                if bucket.is_low() {
                    let told = bucket.begin_exchange(true);
                    bucket.exchanged(store.exchange(told));
                }
                return true;
            }
            Taken::After(_) => return false,
            Taken::Ask => {
                bucket.await_permit();
                let told = bucket.begin_exchange(true);
                bucket.exchanged(store.exchange(told));
            }
        }
    }
    false
}

fn tell(bucket: &mut Bucket, store: &mut Store) {
    if bucket.has_news() {
        let told = bucket.begin_exchange(true);
        bucket.exchanged(store.exchange(told));
    }
}

#[tokio::test(start_paused = true)]
async fn two_gateways_admit_together_what_the_limit_allows() {
    for (per_minute, step) in [(12_u32, 500), (60, 100), (600, 20), (6000, 5)] {
        let limit = f64::from(per_minute);
        let mut store = Store::new(limit);
        let new = || Bucket::new(u64::from(per_minute), Division::Shared(2));
        let mut gateways = [new(), new()];
        let mut admitted = 0_u32;
        let began = Instant::now();
        // Two minutes in which all requests go to one gateway, then to both, then to the other one.
        while began.elapsed() < 2 * MINUTE {
            let asked: &[usize] = match began.elapsed().as_secs() {
                0..40 => &[0],
                40..80 => &[0, 1],
                _ => &[1],
            };
            for number in asked {
                admitted += u32::from(admits(&mut gateways[*number], &mut store));
            }
            advance(Duration::from_millis(step)).await;
            gateways.iter_mut().for_each(|one| tell(one, &mut store));
        }
        let allowed = limit * 3.0;
        assert!(f64::from(admitted) <= allowed, "{admitted} of {allowed}");
        let most_held = (limit * 0.05).max(2.0);
        assert!(
            f64::from(admitted) >= allowed - most_held,
            "{admitted} of {allowed}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn permits_that_nobody_uses_go_back() {
    let mut store = Store::new(600.0);
    let mut bucket = Bucket::new(600, Division::Shared(1));
    assert!(admits(&mut bucket, &mut store));
    assert!(store.level < 590.0);
    advance(IDLE * 2).await;
    tell(&mut bucket, &mut store);
    assert!(store.level > 599.0);
    assert!(!bucket.has_news());
}

#[tokio::test(start_paused = true)]
async fn permits_of_a_gateway_that_was_stopped_are_not_used() {
    let mut store = Store::new(600.0);
    let mut bucket = Bucket::new(600, Division::Shared(1));
    assert!(admits(&mut bucket, &mut store));
    advance(LEASE * 2).await;
    assert_eq!(bucket.take(), Taken::Ask);
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_is_reached_costs_no_query_for_each_refusal() {
    let mut store = Store::new(60.0);
    let mut bucket = Bucket::new(60, Division::Shared(2));
    while admits(&mut bucket, &mut store) {}
    let Taken::After(wait) = bucket.take() else {
        panic!("the store is asked");
    };
    assert!((900..=1000).contains(&wait.as_millis()), "{wait:?}");
    advance(wait).await;
    assert_eq!(bucket.take(), Taken::Ask);
}

#[tokio::test(start_paused = true)]
async fn without_the_store_each_gateway_has_its_part() {
    let mut bucket = Bucket::new(60, Division::Shared(3));
    bucket.divide(Division::Divided(3));
    let at_once = (0..100).filter(|_| bucket.take() == Taken::Now).count();
    assert_eq!(at_once, 20);
    advance(MINUTE / 2).await;
    let later = (0..100).filter(|_| bucket.take() == Taken::Now).count();
    assert_eq!(later, 10);
    // When the store is back, it is told what is missing; not being back for long gives nothing.
    for _ in 0..3 {
        bucket.divide(Division::Shared(3));
        let told = bucket.begin_exchange(true);
        assert_eq!(told.used, 20.0);
        bucket.not_exchanged();
        bucket.divide(Division::Divided(3));
        assert!(matches!(bucket.take(), Taken::After(_)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_part_of_less_than_one_request_is_one() {
    let mut bucket = Bucket::new(2, Division::Divided(5));
    assert_eq!(bucket.take(), Taken::Now);
    assert!(matches!(bucket.take(), Taken::After(_)));
}

#[tokio::test(start_paused = true)]
async fn what_the_store_was_not_told_is_told_again() {
    let mut bucket = Bucket::new(1000, Division::Shared(1));
    bucket.used(300.0);
    assert_eq!(bucket.begin_exchange(false).used, 300.0);
    bucket.used(50.0);
    bucket.not_exchanged();
    let told = bucket.begin_exchange(false);
    assert_eq!(told.used, 350.0);
    assert_eq!(told.wanted, 0.0);
    bucket.exchanged(Exchanged {
        granted: 0.0,
        level: -10.0,
    });
    assert!(bucket.is_empty().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_gateway_alone_admits_a_minute_at_once() {
    let mut bucket = Bucket::new(6, ALONE);
    for _ in 0..6 {
        assert_eq!(bucket.take(), Taken::Now);
    }
    let Taken::After(wait) = bucket.take() else {
        panic!("too many");
    };
    assert_eq!(wait.as_secs(), 10);
}

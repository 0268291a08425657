//! Tries inputs made at random, and shows the smallest ones that fail.
//!
//! How much is tried is said by the environment: `HAFT_FUZZ_SECONDS` in all, shared by
//! [`MODES`] campaigns; else `HAFT_FUZZ_TRIES` per campaign, a hundred or so by default, which is
//! the same work each time. `HAFT_FUZZ_SEED` picks other inputs: try number `n` of a campaign is
//! made from the seed plus `n`, so that it can be repeated alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use fastrand::Rng;

/// How many campaigns share the time.
pub const MODES: u32 = 4;

/// How many inputs are tried without a limit in time.
const TRIES: u64 = 120;

/// No input may take longer: it is some thousand bytes, read some dozen times.
const HANG: Duration = Duration::from_secs(60);

/// How many different failures end a campaign.
const MAX_FAILURES: usize = 12;

/// How often a failing input is tried in smaller forms.
const MAX_SHRINKS: usize = 4000;

/// How long that may take in all: some inputs are read slowly.
const SHRINKING: Duration = Duration::from_secs(60);

/// The thread in which inputs are tried.
const THREAD: &str = "fuzz";

/// Something to be tried.
pub trait Input: Clone + 'static {
    /// Simpler forms, those first that leave out most.
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_>;

    /// As a Rust programmer would write it down.
    fn shown(&self) -> String;
}

/// What is wrong with an input: the kind, by which failures are told apart, and the details.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Such as `panic`, or the property that does not hold.
    pub kind: &'static str,
    /// What was seen.
    pub details: String,
}

impl Fault {
    /// A fault of that kind.
    pub fn new(kind: &'static str, details: String) -> Self {
        Self { kind, details }
    }
}

/// Tries what `make` makes with `check`; dies with a list of the smallest inputs that fail.
pub fn run<I: Input>(
    mode: &str,
    make: impl Fn(&mut Rng) -> I + Send + 'static,
    check: impl Fn(&I) -> Result<(), Fault> + Send + 'static,
) {
    keep_quiet();
    let (beats, watch) = mpsc::channel();
    let worker = move || Campaign { make, check, beats }.run();
    let worker = std::thread::Builder::new()
        .name(THREAD.to_owned())
        .spawn(worker);
    let worker = worker.expect("a thread");
    let mut last = 0;
    loop {
        match watch.recv_timeout(HANG) {
            Ok(seed) => last = seed,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("{mode} hangs: {}", again(mode, last)),
        }
    }
    let failures = worker.join().expect("only checks panic, and are caught");
    if failures.is_empty() {
        return;
    }
    let mut list = String::new();
    for (shown, (seed, fault)) in &failures {
        let Fault { kind, details } = fault;
        write!(
            list,
            "\n\n{kind}: {shown}\n{details}\n{}",
            again(mode, *seed)
        )
        .unwrap();
    }
    panic!("{} failures in {mode}{list}", failures.len());
}

/// The command that tries one input again.
fn again(mode: &str, seed: u64) -> String {
    format!(
        "again: HAFT_FUZZ_SEED={seed} HAFT_FUZZ_TRIES=1 cargo test -p haft-extract --test fuzz {mode}"
    )
}

/// By the smallest input: the seed and what is wrong.
type Failures = BTreeMap<String, (u64, Fault)>;

struct Campaign<M, C> {
    make: M,
    check: C,
    /// Told the seed of each try as it begins.
    beats: Sender<u64>,
}

impl<M, C> Campaign<M, C> {
    fn run<I: Input>(self) -> Failures
    where
        M: Fn(&mut Rng) -> I,
        C: Fn(&I) -> Result<(), Fault>,
    {
        let seed = number("HAFT_FUZZ_SEED").unwrap_or(0);
        let seconds = number("HAFT_FUZZ_SECONDS");
        let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds) / MODES);
        let tries =
            number("HAFT_FUZZ_TRIES").unwrap_or(if end.is_some() { u64::MAX } else { TRIES });
        let mut failures = Failures::new();
        for seed in (seed..=u64::MAX).take(usize::try_from(tries).unwrap_or(usize::MAX)) {
            let is_over = end.is_some_and(|end| Instant::now() > end);
            if is_over || failures.len() >= MAX_FAILURES {
                break;
            }
            let input = (self.make)(&mut Rng::with_seed(seed));
            if let Err(fault) = self.checked(&input, seed) {
                let (input, fault) = self.shrunk((input, fault), seed);
                failures.entry(input.shown()).or_insert((seed, fault));
            }
        }
        failures
    }

    fn checked<I: Input>(&self, input: &I, seed: u64) -> Result<(), Fault>
    where
        C: Fn(&I) -> Result<(), Fault>,
    {
        self.beats.send(seed).expect("the watch");
        let checked = panic::catch_unwind(AssertUnwindSafe(|| (self.check)(input)));
        checked.unwrap_or_else(|_| Err(Fault::new("panic", PANIC.take())))
    }

    /// The smallest form that fails in the same way.
    fn shrunk<I: Input>(&self, found: (I, Fault), seed: u64) -> (I, Fault)
    where
        C: Fn(&I) -> Result<(), Fault>,
    {
        let (mut least, mut fault) = found;
        let mut left = MAX_SHRINKS;
        let end = Instant::now() + SHRINKING;
        loop {
            let in_time = |_: &I| Instant::now() < end;
            let smaller = least
                .smaller()
                .take(left)
                .take_while(in_time)
                .find_map(|smaller| {
                    left -= 1;
                    let failed = self.checked(&smaller, seed).err();
                    failed
                        .filter(|other| other.kind == fault.kind)
                        .map(|other| (smaller, other))
                });
            let Some(found) = smaller else {
                return (least, fault);
            };
            (least, fault) = found;
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: {value}")),
    )
}

thread_local! {
    /// What the last panic said.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics while inputs are tried are kept instead of printed: shrinking makes thousands.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() == Some(THREAD) {
                PANIC.set(info.to_string());
            } else {
                print(info);
            }
        }));
    });
}

//! Time: what this thread used of a processor, so that waiting for other programs does not count.
//! They still take caches, clock speed and half of a core. So the contestants take short turns,
//! which a slow second of the machine hits alike; figures are the best pass, and comparisons the
//! median over pairs of turns that followed each other.

use std::time::Duration;

use cpu_time::ThreadTime;

/// Everything is measured in this many turns,
const TURNS: usize = 40;
/// of one pass or as many as fit in this time;
const TURN: Duration = Duration::from_millis(4);
/// what is slow gets fewer, down to
const FEW_TURNS: usize = 3;
/// so many, once it took this long in all.
const ENOUGH: Duration = Duration::from_secs(1);

/// A stopwatch over the processor time of this thread.
pub struct Clock {
    /// What starting and stopping costs by itself.
    overhead: Duration,
    started: Option<ThreadTime>,
    total: Duration,
}

impl Clock {
    pub fn new() -> Self {
        let mut clock = Self {
            overhead: Duration::ZERO,
            started: None,
            total: Duration::ZERO,
        };
        let empty = (0..1000).map(|_| {
            clock.start();
            clock.stop();
            clock.take()
        });
        clock.overhead = empty.min().unwrap_or_default();
        clock
    }

    pub fn start(&mut self) {
        self.started = Some(ThreadTime::now());
    }

    pub fn stop(&mut self) {
        if let Some(started) = self.started.take() {
            self.total += started.elapsed().saturating_sub(self.overhead);
        }
    }

    /// The time since the last call of this.
    pub fn take(&mut self) -> Duration {
        std::mem::take(&mut self.total)
    }
}

/// What passes took.
pub struct Timing {
    /// The best pass.
    pub best: Duration,
    /// A pass on average, turn by turn.
    turns: Vec<f64>,
}

impl Timing {
    /// How many times as long as `other` this took.
    pub fn ratio(&self, other: &Self) -> f64 {
        let pairs = self.turns.iter().zip(&other.turns);
        median(pairs.map(|(one, other)| one / other).collect())
    }

    /// How far the median lies above the best, in percent.
    pub fn noise(&self) -> f64 {
        (median(self.turns.clone()) / self.best.as_secs_f64() - 1.0) * 100.0
    }
}

/// The one in the middle; 0 of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// One thing to measure; it starts and stops the clock around what counts.
pub type Pass<'p> = Box<dyn FnMut(&mut Clock) + 'p>;

/// Measures passes in turns. A turn of several passes begins with one that does not count: it finds
/// the caches as another contestant left them.
pub fn measure(clock: &mut Clock, passes: Vec<Pass<'_>>) -> Vec<Timing> {
    let mut measured: Vec<(Pass<'_>, Duration, Timing)> = Vec::new();
    for pass in passes {
        let timing = Timing {
            best: Duration::MAX,
            turns: Vec::new(),
        };
        measured.push((pass, Duration::ZERO, timing));
    }
    for turn in 0..TURNS {
        for (pass, total, timing) in &mut measured {
            if turn >= FEW_TURNS && *total > ENOUGH {
                continue;
            }
            if timing.best < TURN {
                pass(clock);
                *total += clock.take();
            }
            let mut spent = Duration::ZERO;
            let mut passes = 0;
            while spent < TURN {
                pass(clock);
                let time = clock.take().max(Duration::from_nanos(1));
                timing.best = timing.best.min(time);
                spent += time;
                passes += 1;
            }
            *total += spent;
            timing.turns.push(spent.as_secs_f64() / f64::from(passes));
        }
    }
    measured.into_iter().map(|(_, _, timing)| timing).collect()
}

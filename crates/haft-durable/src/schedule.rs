//! Questions that are asked again and again, at times in the form of cron.
//!
//! The engine keeps schedules and begins a tick at each of their times; the tick puts a run into
//! its queue. Ticks that nobody could begin, because no worker was there, are made up for by one
//! run: [`catch_up`].

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use cron::Schedule;
use durare::WorkflowSchedule;
use durare::{DurableContext, Error, ScheduleFilter, ScheduleOptions, ScheduledInput};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{DurableError, DurableErrorKind};
use crate::format::{StretchInput, TICK, TICKS};
use crate::run::{RunState, RunSummary};
use crate::store::{DurableStore, check_queue, new_id, time_text};

/// The days of the week in the order of cron, in which 0 and 7 are Sunday.
const DAYS: [&str; 8] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/// How the id of a schedule begins.
const ID_PREFIX: &str = "every-";

/// The length of the id of a schedule.
const ID_LENGTH: usize = 22;

/// When and where a question is asked again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The queue of the workers that answer.
    pub queue: String,
    /// The five fields of cron: minute, hour, day of the month, month, day of the week. A day must
    /// fit both its fields.
    pub every: String,
    /// The IANA time zone in which that is meant, such as `Europe/Berlin`.
    pub time_zone: String,
}

/// What a schedule asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Repeated {
    /// The question; in an encrypted store sealed, because the engine stores this as it is.
    question: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    sealed: bool,
    queue: String,
    /// The times as they were written.
    every: String,
    /// When the schedule was made, in milliseconds since 1970.
    made: i64,
}

impl DurableStore {
    /// Asks a question again and again, and returns the id of the schedule.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Argument`] or [`DurableErrorKind::Database`].
    pub async fn repeat(
        &self,
        question: impl Into<String>,
        repetition: Repetition,
    ) -> Result<String, DurableError> {
        let Repetition {
            queue,
            every,
            time_zone,
        } = repetition;
        check_queue(&queue)?;
        let cron = engine_cron(&every)?;
        if time_zone.parse::<Tz>().is_err() {
            let message = format!("\"{time_zone}\" is no time zone");
            let hint = "use a name such as Europe/Berlin or UTC";
            return Err(DurableError::new(DurableErrorKind::Argument, message, hint));
        }
        let id = format!("{ID_PREFIX}{}", new_id());
        let question = question.into();
        let question = match &self.key {
            Some(key) => key.seal(&Value::from(question))?,
            None => question,
        };
        let repeated = Repeated {
            question,
            sealed: self.key.is_some(),
            queue,
            every,
            made: Utc::now().timestamp_millis(),
        };
        let options = ScheduleOptions::new()
            .context(&repeated)
            .cron_timezone(time_zone)
            .queue_name(TICKS);
        self.client
            .create_schedule(&id, TICK, &cron, options)
            .await?;
        Ok(id)
    }

    /// The schedule with that id.
    pub(crate) async fn schedule(&self, id: &str) -> Result<Option<RunSummary>, DurableError> {
        if id.len() != ID_LENGTH || !id.starts_with(ID_PREFIX) {
            return Ok(None);
        }
        let schedule = self.client.get_schedule(id).await?;
        schedule.map(|schedule| self.summary(&schedule)).transpose()
    }

    pub(crate) async fn schedules(&self) -> Result<Vec<RunSummary>, DurableError> {
        let schedules = self.engine_schedules().await?;
        let summaries = schedules.iter().map(|schedule| self.summary(schedule));
        summaries.collect()
    }

    fn summary(&self, schedule: &WorkflowSchedule) -> Result<RunSummary, DurableError> {
        let repeated = repeated(schedule)?;
        Ok(RunSummary {
            id: schedule.schedule_name.clone(),
            question: self.question_of(&repeated)?,
            queue: repeated.queue,
            schedule: None,
            owner: None,
            session: None,
            asked: time_text(repeated.made),
            state: RunState::Repeating {
                every: repeated.every,
                time_zone: schedule.cron_timezone.clone().unwrap_or_default(),
            },
        })
    }

    fn question_of(&self, repeated: &Repeated) -> durare::Result<String> {
        match &self.key {
            Some(key) if repeated.sealed => {
                Ok(serde_json::from_value(key.unseal(&repeated.question)?)?)
            }
            _ => Ok(repeated.question.clone()),
        }
    }

    async fn engine_schedules(&self) -> Result<Vec<WorkflowSchedule>, DurableError> {
        let filter = ScheduleFilter {
            workflow_names: vec![TICK.to_owned()],
            ..ScheduleFilter::default()
        };
        Ok(self.client.list_schedules(&filter).await?)
    }
}

/// Begins the last tick of each schedule for which no worker was there.
pub(crate) async fn catch_up(store: &DurableStore) -> Result<(), DurableError> {
    let now = Utc::now();
    for schedule in store.engine_schedules().await? {
        let Some(missed) = last_before(&schedule, now)? else {
            continue;
        };
        let made = DateTime::from_timestamp_millis(repeated(&schedule)?.made);
        if schedule
            .last_fired_at
            .or(made)
            .is_some_and(|last| last < missed)
        {
            let id = &schedule.schedule_name;
            tracing::info!(schedule = id, %missed, "no worker was there at the last time");
            let (from, to) = (
                missed - TimeDelta::seconds(1),
                missed + TimeDelta::seconds(1),
            );
            store.client.backfill_schedule(id, from, to).await?;
        }
    }
    Ok(())
}

/// The last time of a schedule before `now`.
fn last_before(
    schedule: &WorkflowSchedule,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, DurableError> {
    let cron = parsed(&schedule.schedule)?;
    let zone = schedule.cron_timezone.as_deref().unwrap_or("UTC");
    let zone = zone.parse::<Tz>().unwrap_or(Tz::UTC);
    let last = cron.after(&now.with_timezone(&zone)).next_back();
    Ok(last.map(|last| last.with_timezone(&Utc)))
}

/// The workflow of a tick: puts the run into its queue. Its id follows from the tick, so it begins
/// once.
pub(crate) async fn tick(
    store: DurableStore,
    context: DurableContext,
    input: ScheduledInput,
) -> durare::Result<()> {
    let Some(repeated) = input.context_as::<Repeated>()? else {
        return Err(Error::app("the schedule has no question"));
    };
    let schedule = schedule_of(context.workflow_id());
    let run = format!(
        "{schedule}-{}",
        input.scheduled_time.format("%Y%m%dT%H%M%SZ")
    );
    let input = StretchInput {
        schedule: Some(schedule.to_owned()),
        ..StretchInput::new(run, store.question_of(&repeated)?, repeated.queue)
    };
    // A tick whose run could not be stored is tried again.
    let begun = store.begin(&input, None).await;
    begun.map_err(|error| Error::RecoveryRequired(Error::app(error.detail()).into()))?;
    Ok(())
}

/// The schedule in the id of a tick, which is `sched-SCHEDULE-TIME`.
fn schedule_of(tick: &str) -> &str {
    let schedule = tick.strip_prefix("sched-").unwrap_or(tick);
    schedule.get(..ID_LENGTH).unwrap_or(schedule)
}

fn repeated(schedule: &WorkflowSchedule) -> Result<Repeated, DurableError> {
    let context = schedule.context.clone().unwrap_or_default();
    serde_json::from_value(context).map_err(|error| DurableError::unreadable(&error))
}

fn not_cron(every: &str) -> DurableError {
    let message = format!("\"{every}\" is no time in the form of cron");
    let hint = "give minute, hour, day, month and day of the week, such as \"30 8 * * 1-5\"";
    DurableError::new(DurableErrorKind::Argument, message, hint)
}

fn parsed(cron: &str) -> Result<Schedule, DurableError> {
    cron.parse().map_err(|_| not_cron(cron))
}

/// The six fields that the engine reads: it begins with seconds, and counts the days of the week
/// from 1 for Sunday, so they become names.
fn engine_cron(every: &str) -> Result<String, DurableError> {
    let fields: Vec<_> = every.split_whitespace().collect();
    let [minute, hour, day, month, week_day] = fields.as_slice() else {
        return Err(not_cron(every));
    };
    let days = days_of_week(week_day).ok_or_else(|| not_cron(every))?;
    let cron = format!("0 {minute} {hour} {day} {month} {days}");
    match parsed(&cron) {
        Ok(_) => Ok(cron),
        Err(_) => Err(not_cron(every)),
    }
}

/// The days of a field such as `1-5`, `0,6`, `MON-FRI` or `*/2`, by their names.
fn days_of_week(field: &str) -> Option<String> {
    if field == "*" || field == "?" {
        return Some("*".to_owned());
    }
    let mut names: Vec<&str> = Vec::new();
    for part in field.split(',') {
        let (range, step) = part.split_once('/').unwrap_or((part, "1"));
        let step: usize = step.parse().ok().filter(|step| *step > 0)?;
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (day_number(first)?, day_number(last)?),
            None if range == "*" => (0, 6),
            None => (day_number(range)?, day_number(range)?),
        };
        // Friday to Sunday, with Sunday as 0.
        let last = if last < first { last + 7 } else { last };
        names.extend(
            (first..=last)
                .step_by(step)
                .filter_map(|day| DAYS.get(day % 7)),
        );
    }
    (!names.is_empty()).then(|| names.join(","))
}

fn day_number(day: &str) -> Option<usize> {
    let name = day.to_ascii_uppercase();
    let named = DAYS.iter().position(|known| *known == name);
    named.or_else(|| day.parse().ok().filter(|day| *day <= 7))
}

#[cfg(test)]
mod tests;

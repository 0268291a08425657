// Numbers, times and states in words.

const NUMBER = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export const number = (value) => NUMBER.format(value);
export const compact = (value) => (value < 10000 ? number(value) : COMPACT.format(value));
export const clock = (milliseconds) => CLOCK.format(new Date(milliseconds));

// A time that may be days ago.
export function moment(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? CLOCK.format(date) : `${DAY.format(date)}, ${CLOCK.format(date)}`;
}

export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "–";
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 60000) return `${(milliseconds / 1000).toFixed(milliseconds < 10000 ? 1 : 0)} s`;
  const minutes = Math.floor(milliseconds / 60000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

// The class of a request, and the word for it.
export function state(request) {
  switch (request.outcome) {
    case "running": return { kind: "running", word: request.first_ms === null ? "waiting" : "writing" };
    case "failed": return { kind: "failed", word: `failed ${request.status}` };
    case "refused": return { kind: "failed", word: `refused ${request.status}` };
    case "client_left": return { kind: "left", word: "client left" };
  }
  if (request.recovered > 0) return { kind: "recovered", word: "recovered" };
  if (request.repaired > 0) return { kind: "repaired", word: "repaired" };
  return { kind: "clean", word: request.passed ? "passed on" : "answered" };
}

export function plural(count, word) {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

// `text_to_number` as people read it.
export const phrase = (name) => name.replaceAll("_", " ");

// The list of durable runs: those that wait for a person first, then the newest.

import { load } from "./api.js";
import { element, find } from "./dom.js";
import { moment, plural } from "./words.js";

// How often the list is read while the page is seen, in milliseconds.
const EVERY = 3000;

// How many runs are listed.
const MOST = 100;

// The colour of a state, as that of a request.
const KINDS = { answered: "clean", failed: "failed", waiting: "repaired", working: "running", queued: "left", delayed: "left", repeating: "left", cancelled: "left" };

export function stateOf({ state }) {
  const word = state.state === "waiting" ? state.reason : state.state;
  return { kind: KINDS[state.state] ?? "left", word };
}

export class Runs {
  #rows = new Map();
  #chosen = null;
  #choose;
  #timer = null;

  // `choose` is called with the id of a run, or with null.
  constructor(choose) {
    this.#choose = choose;
    find("runs-list").addEventListener("keydown", (event) => walk(event));
  }

  // Shows the list, and keeps it up to date from now on.
  start() {
    if (!find("runs").hidden) return;
    find("runs").hidden = false;
    document.addEventListener("visibilitychange", () => this.refresh());
    this.refresh();
  }

  get chosen() {
    return this.#chosen;
  }

  choose(id) {
    this.#chosen = id;
    for (const [known, row] of this.#rows) mark(row, known === id);
    this.#choose(id);
  }

  // Closes the run that is shown, and goes back to its row.
  close() {
    const row = this.#rows.get(this.#chosen);
    this.choose(null);
    row?.focus();
  }

  async refresh() {
    clearTimeout(this.#timer);
    if (document.hidden) return;
    try {
      const { runs } = await load("v1/runs");
      find("runs-error").textContent = "";
      this.#draw(runs);
    } catch (error) {
      find("runs-error").textContent = error.message;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), EVERY);
  }

  #draw(all) {
    const waits = (run) => run.state.state === "waiting";
    const waiting = all.filter(waits);
    const shown = [...waiting, ...all.filter((run) => !waits(run))].slice(0, Math.max(MOST, waiting.length));
    const list = find("runs-list");
    const items = shown.map((run) => this.#row(run).parentElement);
    const kept = new Set(items);
    for (const item of [...list.children]) if (!kept.has(item)) item.remove();
    items.forEach((item, place) => {
      if (list.children[place] !== item) list.insertBefore(item, list.children[place] ?? null);
    });
    const ids = new Set(shown.map((run) => run.id));
    for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
    find("runs-count").textContent = waiting.length === 0 ? all.length : `${all.length}, ${plural(waiting.length, "decision")} to make`;
    find("runs-empty").hidden = all.length > 0;
  }

  // Rows stay the same elements, so that the focus stays where it is.
  #row(run) {
    let row = this.#rows.get(run.id);
    if (row === undefined) {
      row = element("button", { type: "button", class: "row run", onclick: () => this.choose(run.id) });
      element("li", {}, row);
      this.#rows.set(run.id, row);
    }
    const text = JSON.stringify(run);
    if (row.dataset.shown !== text) {
      row.dataset.shown = text;
      row.replaceChildren(...cells(run));
    }
    mark(row, run.id === this.#chosen);
    return row;
  }
}

function cells(run) {
  const { kind, word } = stateOf(run);
  const from = [moment(run.asked), run.owner, run.queue].filter(Boolean).join(" · ");
  return [
    element("span", { class: `state ${kind}` }, word),
    element("span", { title: run.question }, run.question),
    element("span", { class: "muted", title: from }, from),
  ];
}

function mark(row, isChosen) {
  if (isChosen) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}

function walk(event) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  const item = event.target.closest("li");
  if (step === undefined || item === null) return;
  event.preventDefault();
  item[step]?.firstElementChild.focus();
}

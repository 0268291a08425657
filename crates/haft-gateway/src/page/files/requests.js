// The list of the latest requests: kept up to date, filtered, and walked with the arrow keys.

import { element, find } from "./dom.js";
import { clock, compact, duration, plural, state } from "./words.js";

// As many as the gateway keeps.
const MOST = 200;

export class Requests {
  #known = new Map();
  #rows = new Map();
  #chosen = null;
  #choose;
  #isDrawn = true;

  // `choose` is called with the number of a request, or with null.
  constructor(choose) {
    this.#choose = choose;
    find("filter").addEventListener("input", () => this.#draw());
    find("outcome").addEventListener("change", () => this.#draw());
    find("list").addEventListener("keydown", (event) => this.#walk(event));
    this.#later();
  }

  byId(id) {
    return [...this.#known.values()].find((request) => request.id === id);
  }

  get running() {
    return [...this.#known.values()].filter((request) => request.outcome === "running").length;
  }

  // Forgets all, because the gateway was started anew.
  clear() {
    this.#known.clear();
    this.#later();
  }

  update(request) {
    this.#known.set(request.number, request);
    while (this.#known.size > MOST) this.#known.delete(Math.min(...this.#known.keys()));
    this.#later();
  }

  choose(number) {
    this.#chosen = number;
    for (const [known, row] of this.#rows) mark(row, known === number);
    this.#choose(number);
  }

  // Draws once for all changes that come together.
  #later() {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    setTimeout(() => {
      this.#isDrawn = true;
      this.#draw();
    }, 50);
  }

  #draw() {
    const words = find("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = find("outcome").value;
    const all = [...this.#known.values()].sort((a, b) => b.number - a.number);
    const shown = all.filter((request) => isWanted(request, wanted) && hasWords(request, words));
    this.#place(shown);
    find("count").textContent = shown.length === all.length ? all.length : `${shown.length} of ${all.length}`;
    find("empty").hidden = shown.length > 0;
    find("empty").textContent = all.length === 0
      ? "No request yet. They appear here while they run."
      : "No request matches the filter.";
  }

  // Rows stay the same elements, so that the focus stays where it is.
  #place(shown) {
    const list = find("list");
    const items = shown.map((request) => this.#row(request).parentElement);
    const kept = new Set(items);
    for (const item of [...list.children]) if (!kept.has(item)) item.remove();
    items.forEach((item, place) => {
      if (list.children[place] !== item) list.insertBefore(item, list.children[place] ?? null);
    });
    for (const number of this.#rows.keys()) if (!this.#known.has(number)) this.#rows.delete(number);
  }

  #row(request) {
    let row = this.#rows.get(request.number);
    if (row === undefined) {
      row = element("button", { type: "button", class: "row", onclick: () => this.choose(request.number) });
      element("li", {}, row);
      this.#rows.set(request.number, row);
    }
    const text = JSON.stringify(request);
    if (row.dataset.shown !== text) {
      row.dataset.shown = text;
      row.replaceChildren(...cells(request));
    }
    mark(row, request.number === this.#chosen);
    return row;
  }

  #walk(event) {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const item = event.target.closest("li");
    if (step === undefined || item === null) return;
    event.preventDefault();
    item[step]?.firstElementChild.focus();
  }
}

function mark(row, isChosen) {
  if (isChosen) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}

function cells(request) {
  const { kind, word } = state(request);
  const from = [request.key, request.dialect].filter(Boolean).join(" · ");
  return [
    element("span", { class: `state ${kind}` }, word),
    element("span", { title: request.model }, request.model || "(no model named)"),
    element("span", { class: "muted", title: `${clock(request.at)} ${from}` }, `${clock(request.at)} ${from}`),
    element("span", { class: "number" }, duration(request.first_ms)),
    element("span", { class: "number" }, duration(request.ms)),
    element("span", { class: "number", title: `${plural(request.tokens_in, "token")} in, ${plural(request.tokens_out, "token")} out` },
      request.ms === null ? "–" : `${compact(request.tokens_in)} / ${compact(request.tokens_out)}`),
  ];
}

function isWanted(request, wanted) {
  const { kind } = state(request);
  switch (wanted) {
    case "running": return kind === "running";
    case "mended": return request.repaired + request.recovered > 0;
    case "failed": return kind === "failed";
    default: return true;
  }
}

function hasWords(request, words) {
  const texts = [request.model, request.key, request.upstream, request.id, request.dialect, request.error, state(request).word];
  const text = texts.filter(Boolean).join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

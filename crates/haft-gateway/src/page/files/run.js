// The chosen run: its steps as they are recorded, the reply that is being written, what waits for a
// person, and the answer.

import { load, post } from "./api.js";
import { element, find, replace } from "./dom.js";
import { open } from "./events.js";
import { block, call, note } from "./messages.js";
import { stateOf } from "./runs.js";
import { moment } from "./words.js";

// The wait before a broken stream is opened again, in milliseconds.
const PAUSE = 1000;

const DECISIONS = {
  approval: [["allow", "Allow"], ["deny", "Deny"]],
  uncertain: [["did", "It was done"], ["did_not", "It was not done"], ["repeat", "Do it again"]],
};

const UNCERTAIN = "The worker died while this call ran, so nobody knows whether it took effect. Look before you decide.";

export class Run {
  #run = null;
  #steps = new Map();
  #text = "";
  #error = "";
  // Whether the last event was that the run waits.
  #waits = false;
  #stream = null;
  #close;
  #changed;

  // `close` is called by the button, `changed` when the run is in another state.
  constructor(close, changed) {
    this.#close = close;
    this.#changed = changed;
  }

  async show(id) {
    this.#stream?.abort();
    this.#run = null;
    this.#steps.clear();
    this.#text = this.#error = "";
    this.#waits = false;
    replace(find("run"), element("p", { class: "empty" }, "Choose a run to see its steps, and to decide what it waits for."));
    if (id === null) return;
    const stream = this.#stream = new AbortController();
    try {
      this.#run = await load(path(id));
      if (!stream.signal.aborted) this.#draw();
      if (this.#run.state.state !== "repeating") await this.#follow(id, stream);
    } catch (error) {
      if (stream.signal.aborted) return;
      this.#error = error.message;
      this.#draw();
    }
  }

  // Reads events until the run has ended, also over broken connections.
  async #follow(id, stream) {
    let last = null;
    while (!stream.signal.aborted) {
      try {
        for await (const event of await open(`${path(id)}/events`, last, connection(stream))) {
          if (event.id !== null) last = event.id;
          if (event.data !== "") this.#receive(event.name, JSON.parse(event.data));
          if (event.name === "ended") return;
        }
      } catch (error) {
        if (error.status >= 400) throw error;
      }
      if (!stream.signal.aborted) await new Promise((wake) => setTimeout(wake, PAUSE));
    }
  }

  #receive(name, data) {
    switch (name) {
      case "text.delta": this.#text += data.text; break;
      case "reply.retracted": this.#text = ""; break;
      case "step":
        this.#text = "";
        this.#steps.set(data.number, data);
        // Somebody has decided elsewhere.
        if (this.#waits) this.#become({ state: "working" });
        break;
      case "waiting":
        this.#become({ state: "waiting", ...data });
        this.#waits = true;
        break;
      case "ended": this.#become(data); break;
    }
    this.#draw();
  }

  #become(state) {
    this.#run.state = state;
    this.#waits = false;
    this.#changed();
  }

  async #act(where, body) {
    this.#error = "";
    const id = this.#run.id;
    try {
      const run = await post(`${path(id)}/${where}`, body);
      if (this.#run?.id === id) this.#become(run.state);
    } catch (error) {
      this.#error = error.message;
    }
    this.#draw();
    find("run").focus({ preventScroll: true });
  }

  // Long texts stay scrolled, and the focus where it is.
  #draw() {
    const node = find("run");
    const parts = () => [...node.querySelectorAll("button, pre")];
    const focused = parts().indexOf(document.activeElement);
    const places = [...node.querySelectorAll("pre")].map((pre) => pre.scrollTop);
    const content = this.#run === null ? [] : [this.#head(), ...this.#decision(), this.#body()];
    const error = this.#error === "" ? [] : [element("p", { class: "empty error", role: "alert" }, this.#error)];
    replace(node, ...error, ...content);
    node.querySelectorAll("pre").forEach((pre, place) => { pre.scrollTop = places[place] ?? 0; });
    if (focused >= 0 && !node.contains(document.activeElement)) parts()[focused]?.focus({ preventScroll: true });
  }

  #head() {
    const run = this.#run;
    const { kind, word } = stateOf(run);
    const facts = [["Asked", moment(run.asked)], ["Id", run.id], ["Queue", run.queue], ["Key", run.owner], ["Session", run.session], ["Schedule", run.schedule], ["Every", run.state.every]];
    const hasEnded = ["answered", "failed", "cancelled"].includes(run.state.state);
    return element("header", {},
      element("div", { class: "title" },
        element("h2", {}, run.question),
        element("span", { class: `state ${kind}` }, word),
        hasEnded ? null : element("button", { type: "button", class: "quiet cancel", onclick: () => this.#act("cancel", {}) }, run.state.state === "repeating" ? "End the schedule" : "Cancel the run"),
        element("button", { type: "button", class: "quiet close", onclick: this.#close }, "Close")),
      element("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
  }

  #decision() {
    const { state, reason, number, tool, arguments: args, effect } = this.#run.state;
    if (state !== "waiting") return [];
    const buttons = DECISIONS[reason].map(([decision, label]) =>
      element("button", { type: "button", "data-decision": `${number} ${decision}`, onclick: () => this.#act("approvals", { decision, number }) }, label));
    return [element("section", { class: "decide", "aria-label": "Decision" },
      reason === "uncertain" ? note(UNCERTAIN) : note(effect),
      call(tool, args, reason === "uncertain" ? "Cut off:" : "Allow"),
      element("p", { class: "buttons" }, buttons))];
  }

  #body() {
    const { state, text, error } = this.#run.state;
    const steps = [...this.#steps.values()].sort((a, b) => a.number - b.number);
    const lines = steps.map((step) => element("li", { class: "left" }, step.name, element("span", {}, step.text)));
    const parts = [
      element("section", { class: "panel", "aria-label": "Steps" }, element("h2", {}, "Steps"),
        lines.length === 0 ? note("Nothing is recorded yet.") : element("ol", { class: "changes" }, lines),
        this.#text === "" ? null : block("Being written", this.#text)),
      element("section", { class: "panel", "aria-label": "Answer" }, element("h2", {}, "Answer"),
        state === "answered" ? block("Text", text) : note(state === "failed" ? error : "There is no answer yet.")),
    ];
    return element("div", { class: "panels two" }, parts);
  }
}

// What ends one connection: its silence, or the end of the whole stream.
function connection(stream) {
  const one = new AbortController();
  stream.signal.addEventListener("abort", () => one.abort());
  return one;
}

const path = (id) => `v1/runs/${encodeURIComponent(id)}`;

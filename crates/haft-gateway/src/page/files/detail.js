// The chosen request: its messages, the raw reply and what was repaired, side by side.

import { load } from "./api.js";
import { element, find, replace } from "./dom.js";
import { joined } from "./frames.js";
import { block, call, messages, note, reply } from "./messages.js";
import { clock, duration, number, phrase, plural, state } from "./words.js";

// How often a running request is read again.
const PAUSE = 700;

const NO_MESSAGES = {
  not_kept: "The messages are not kept.",
  too_large: "The request is larger than 2 MiB, so its messages are not kept.",
  unreadable: "The body is not a request of this API.",
};
const NO_CONTENT = "Content is switched off for this request. The setting page_content = true in [gateway] switches it on.";

export class Detail {
  #number = null;
  #timer = null;
  #close;

  constructor(close) {
    this.#close = close;
    this.show(null);
  }

  get number() {
    return this.#number;
  }

  show(number) {
    this.#number = number;
    clearTimeout(this.#timer);
    if (number === null) {
      replace(find("detail"), element("p", { class: "empty" },
        "Choose a request to see its messages, the raw reply of the model, and what was repaired."));
    } else {
      this.refresh();
    }
  }

  async refresh() {
    clearTimeout(this.#timer);
    const number = this.#number;
    if (number === null) return;
    let content;
    try {
      const shown = await load(`haft/requests/${number}`);
      content = [this.#head(shown.request), panels(shown)];
      if (shown.request.outcome === "running") this.#timer = setTimeout(() => this.refresh(), PAUSE);
    } catch (error) {
      content = [element("p", { class: "empty error", role: "alert" }, error.message)];
    }
    if (number === this.#number) this.#draw(content);
  }

  // The places to which long texts were scrolled stay.
  #draw(content) {
    const node = find("detail");
    const places = [...node.querySelectorAll("pre")].map((pre) => pre.scrollTop);
    const focused = [...node.querySelectorAll("button, pre")].indexOf(document.activeElement);
    node.replaceChildren(...content);
    node.querySelectorAll("pre").forEach((pre, place) => { pre.scrollTop = places[place] ?? 0; });
    if (focused >= 0) node.querySelectorAll("button, pre")[focused]?.focus({ preventScroll: true });
  }

  #head(request) {
    const { kind, word } = state(request);
    const tokens = request.ms === null ? null : `${number(request.tokens_in)} in, ${number(request.tokens_out)} out`;
    const facts = [
      ["Began", clock(request.at)],
      ["First output", duration(request.first_ms)],
      ["Took", request.ms === null ? null : duration(request.ms)],
      ["Tokens", tokens],
      ["API", `${request.dialect}, ${request.stream ? "streamed" : "whole"}`],
      ["Server", request.upstream],
      ["Key", request.key],
      ["Id", request.id],
    ];
    return element("header", {},
      element("div", { class: "title" },
        element("h2", {}, request.model || "(no model named)"),
        element("span", { class: `state ${kind}` }, word),
        element("button", { type: "button", class: "quiet close", onclick: this.#close }, "Close")),
      element("dl", { class: "facts" }, facts.filter(([, value]) => value !== null).map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
      request.error === null ? null : element("p", { class: "error" }, request.error));
  }
}

function panels(shown) {
  return element("div", { class: "panels" },
    panel("Messages", asked(shown)),
    panel("Raw reply", raw(shown)),
    panel("Repaired and sent", [...changes(shown), ...given(shown)]));
}

const panel = (title, blocks) => element("section", { class: "panel", "aria-label": title }, element("h2", {}, title), blocks);

function asked(shown) {
  if (shown.content === "left") return [note(NO_CONTENT)];
  if (shown.asked !== "shown") return [note(NO_MESSAGES[shown.asked])];
  const tools = shown.tools.length === 0 ? "No tools" : `${plural(shown.tools.length, "tool")}: ${shown.tools.join(", ")}`;
  return [note(tools), ...messages(shown.messages)];
}

function raw(shown) {
  if (shown.passed !== null && shown.content === "kept") return passed(shown.passed);
  if (shown.attempts.length === 0) return [note("No model was asked for this reply.")];
  const several = shown.attempts.length > 1;
  return shown.attempts.flatMap((attempt, place) => [
    several ? element("h3", {}, `Request ${place + 1}${attempt.server ? ` to ${attempt.server}` : ""}`) : null,
    ...parts(attempt, shown),
  ]).filter((one) => one !== null);
}

function parts(attempt, shown) {
  const blocks = attempt.parts.map((part) => {
    if (part.text !== undefined) return block("Text", part.text);
    if (part.reasoning !== undefined) return block("Reasoning", part.reasoning, "thought");
    return call(part.call.name, part.call.arguments);
  });
  if (attempt.is_cut) blocks.push(note(shown.content === "left" ? "The content is not kept." : "The rest is not kept: it is longer than 64 KiB."));
  else if (blocks.length === 0) blocks.push(note(shown.request.outcome === "running" ? "Nothing yet." : "An empty reply."));
  return blocks;
}

function passed(bytes) {
  const joinedReply = joined(bytes);
  if (joinedReply === null) return [bytes === "" ? note("Nothing yet.") : block("As it came", bytes)];
  return reply(joinedReply);
}

function changes({ interventions, request }) {
  if (request.passed) return [note("Passed on unchanged, byte by byte: nothing is repaired for this model.")];
  if (request.outcome === "running") return [note("The reply is not complete yet.")];
  const lines = [
    ...(interventions?.repaired ?? []).map((one) => line("repaired", one.what, `${phrase(one.kind)} in a call of ${one.tool}`)),
    ...(interventions?.recovery ?? []).map((one) => line(one.recovered ? "recovered" : "failed",
      `Asked again: ${phrase(one.step)}`, `${one.recovered ? "helped" : "in vain"}, after ${duration(one.retry_ms)}`)),
    ...(interventions?.quoted ?? []).map((one) => line("left", `Not run: ${one.call.name}`, `a call that is only quoted from a ${phrase(one.source)}`)),
    ...named("Tools that were not offered", interventions?.tools_left_out),
    ...named("Left out of the conversation", interventions?.left_out),
    ...named("Tools that ran at the gateway", interventions?.ran),
  ];
  return lines.length === 0 ? [note("Nothing had to be repaired.")] : [element("ol", { class: "changes" }, lines)];
}

const line = (kind, text, more) => element("li", { class: kind }, text, element("span", {}, more));

const named = (title, names) => (names?.length > 0 ? [line("left", title, names.join(", "))] : []);

function given({ given: sent, request }) {
  if (sent === null) return request.outcome === "failed" ? [note("The client received an error.")] : [];
  const blocks = reply({ text: sent.text, reasoning: sent.reasoning, calls: sent.calls.map((one) => ({ name: one.name, arguments: one.args })) });
  if (sent.is_cut) blocks.push(note("The rest is not kept: it is longer than 64 KiB."));
  return [element("h3", {}, "What the client received"), ...blocks];
}

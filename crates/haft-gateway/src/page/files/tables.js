// The figures at the top, and the tables of model servers and keys.

import { element, replace } from "./dom.js";
import { compact, duration, number, phrase } from "./words.js";

export function showFigures(node, status, running) {
  const { totals } = status;
  const models = Object.values(totals.models);
  const sum = (key) => models.reduce((all, model) => all + model[key], 0);
  const ended = sum("clean") + sum("repaired") + sum("recovered") + sum("failed");
  const share = ended === 0 ? "–" : `${Math.floor((100 * (ended - sum("failed"))) / ended)} %`;
  const figures = [
    ["Running", number(running)],
    ["Requests", compact(totals.requests)],
    ["Answered", share],
    ["Repaired", compact(sum("repaired"))],
    ["Recovered", compact(sum("recovered"))],
    ["Tokens in", compact(totals.tokens_in)],
    ["Tokens out", compact(totals.tokens_out)],
    ["Up for", duration(Math.max(0, Date.now() - status.since))],
  ];
  replace(node, figures.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

export function showUpstreams(node, upstreams) {
  const rows = upstreams.map((one) => [
    [one.name, element("small", {}, one.kind)],
    element("span", { class: `state ${one.is_healthy ? "clean" : "failed"}` }, one.is_healthy ? "in use" : "paused"),
    number(one.in_flight),
    number(one.waiting),
    `${number(one.failures)} of ${number(one.requests)}`,
  ]);
  replace(node, table(["Server", "State", "#Running", "#Waiting", "#Failed"], rows));
}

export function showKeys(node, keys) {
  if (keys.length === 0) {
    return replace(node, element("p", { class: "empty" }, "There are no keys of users. ",
      element("code", {}, "haft keys add NAME"), " creates one, with limits of its own."));
  }
  const rows = keys.map((key) => [
    [key.name, element("small", {}, key.is_revoked ? "revoked" : `${key.limits.priority} priority`)],
    number(key.used_today.requests),
    `${compact(key.used_today.input_tokens)} / ${compact(key.used_today.output_tokens)}`,
    budget(key),
  ]);
  replace(node, table(["Key", "#Requests", "#Tokens in / out", "#Budget used"], rows));
}

// How often each kind of repair was made, the most frequent first.
export function showRepairs(node, repairs) {
  const kinds = Object.entries(repairs).sort(([, a], [, b]) => b - a);
  if (kinds.length === 0) return replace(node, element("p", { class: "empty" }, "Nothing was repaired so far."));
  replace(node, table(["Repair", "#Calls"], kinds.map(([kind, count]) => [phrase(kind), number(count)])));
}

function budget(key) {
  const most = key.limits.tokens_per_day;
  if (most === null) return "no limit";
  const used = key.used_today.input_tokens + key.used_today.output_tokens;
  return `${Math.min(100, Math.round((100 * used) / Math.max(1, most)))} % of ${compact(most)}`;
}

// A table; a heading with `#` is of a column of numbers.
function table(headings, rows) {
  const kind = headings.map((heading) => (heading.startsWith("#") ? "number" : null));
  const head = headings.map((heading, place) =>
    element("th", { scope: "col", class: kind[place] }, heading.replace("#", "")));
  const body = rows.map((cells) => element("tr", {}, cells.map((cell, place) =>
    element("td", { class: kind[place] }, cell))));
  return element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, body));
}

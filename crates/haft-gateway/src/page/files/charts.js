// The charts: stacked bars, one per model and one per recovery step. The numbers are beside them.

import { element, replace, svg } from "./dom.js";
import { number, phrase } from "./words.js";

const MODEL_PARTS = [
  { key: "clean", kind: "clean", word: "as the model wrote it" },
  { key: "repaired", kind: "repaired", word: "repaired" },
  { key: "recovered", kind: "recovered", word: "recovered" },
  { key: "failed", kind: "failed", word: "failed" },
];
const STEP_PARTS = [
  { key: "helped", kind: "recovered", word: "helped" },
  { key: "in_vain", kind: "left", word: "in vain" },
];

export function showModels(node, models) {
  const none = "No request has ended yet. Point a client at this address, or try a question below.";
  show(node, models, { parts: MODEL_PARTS, none, title: succeeded });
}

export function showSteps(node, steps) {
  const none = "No recovery step was needed so far.";
  const named = Object.fromEntries(Object.entries(steps).map(([name, counts]) => [phrase(name), counts]));
  show(node, named, { parts: STEP_PARTS, none, title: (counts) => `${number(counts.helped)} of ${number(total(counts, STEP_PARTS))} helped` });
}

function show(node, rows, { parts, none, title }) {
  const entries = Object.entries(rows).filter(([, counts]) => total(counts, parts) > 0);
  if (entries.length === 0) return replace(node, element("p", { class: "empty" }, none));
  entries.sort(([, a], [, b]) => total(b, parts) - total(a, parts));
  const cells = entries.flatMap(([name, counts]) => [
    element("span", { class: "name", title: name }, name === "" ? "(no model named)" : name),
    bar(counts, parts, `${name}: ${spoken(counts, parts)}`),
    element("span", { class: "number" }, title(counts)),
  ]);
  const legend = parts.map(({ kind, word }) => element("span", { class: kind }, word));
  replace(node, element("div", { class: "chart" }, cells), element("p", { class: "legend" }, legend));
}

function bar(counts, parts, label) {
  const all = total(counts, parts);
  let x = 0;
  const rects = parts.map(({ key, kind }) => {
    const width = (100 * counts[key]) / all;
    const rect = svg("rect", { class: kind, x, y: 0, width, height: 12 });
    x += width;
    return rect;
  });
  const name = svg("title", {}, label);
  return svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", role: "img", "aria-label": label }, name, rects);
}

function succeeded(counts) {
  const all = total(counts, MODEL_PARTS);
  return `${Math.floor((100 * (all - counts.failed)) / all)} % of ${number(all)}`;
}

const total = (counts, parts) => parts.reduce((sum, { key }) => sum + counts[key], 0);

function spoken(counts, parts) {
  const said = parts.filter(({ key }) => counts[key] > 0);
  return said.map(({ key, word }) => `${counts[key]} ${word}`).join(", ");
}

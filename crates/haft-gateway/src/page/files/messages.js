// Messages, calls and texts as blocks. What a model or a client wrote becomes text, never markup.

import { element } from "./dom.js";

const ROLES = { system: "System", human: "User", ai: "Assistant", tool: "Result" };

// A titled block with a text.
export function block(title, text, kind = null) {
  return element("div", { class: "block" }, element("h3", {}, title), element("pre", { class: kind, tabindex: 0 }, text));
}

export function note(text) {
  return element("p", { class: "muted" }, text);
}

export function messages(all) {
  return all.flatMap((message) => {
    const role = ROLES[message.type] ?? message.type;
    const title = message.type === "tool" && message.name ? `${role} of ${message.name}` : role;
    const blocks = contents(message.content).map(({ kind, text }) =>
      block(kind === "thought" ? `${title}, reasoning` : title, text, kind));
    return [...blocks, ...(message.tool_calls ?? []).map((one) => call(one.name, one.args))];
  });
}

// A call with arguments as data, or as the text that the model wrote.
export function call(name, args, title = "Call") {
  return block(`${title} ${name}`, typeof args === "string" ? args : JSON.stringify(args, null, 2));
}

// The text, the reasoning and the calls of a reply that was joined from its pieces.
export function reply({ text, reasoning, calls }) {
  return [
    reasoning ? block("Reasoning", reasoning, "thought") : null,
    text ? block("Text", text) : null,
    ...calls.map((one) => call(one.name, one.arguments)),
  ].filter((one) => one !== null);
}

function contents(content) {
  if (typeof content === "string") return content === "" ? [] : [{ kind: null, text: content }];
  return (content ?? []).map((part) => {
    if (part.type === "text" || part.type === "text-plain") return { kind: null, text: part.text };
    if (part.type === "thinking") return { kind: "thought", text: part.thinking };
    if (part.type === "image" || part.type === "image_url") return { kind: null, text: "[picture]" };
    return { kind: null, text: `[${part.type}]` };
  });
}

// Builds elements. Data only ever becomes text or an attribute, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

// An element with attributes and children; strings become text, and what is null is left out.
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick") node.addEventListener("click", value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// Replaces what is in a node, unless it would look the same: a selection in it stays.
export function replace(node, ...children) {
  const next = element("div", {}, ...children);
  const now = node.childNodes;
  const isSame = now.length === next.childNodes.length
    && [...now].every((child, place) => child.isEqualNode(next.childNodes[place]));
  if (!isSame) node.replaceChildren(...next.childNodes);
}

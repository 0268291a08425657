// Reads the frames of a stream: server-sent events, or one JSON document per line; and joins the
// pieces of a reply in the APIs of OpenAI, Ollama and Anthropic.

// Splits server-sent events that arrive in pieces.
export class Frames {
  #rest = "";

  *push(piece) {
    this.#rest += piece;
    const frames = this.#rest.split(/\r?\n\r?\n/);
    this.#rest = frames.pop();
    for (const frame of frames) yield parsed(frame);
  }
}

function parsed(frame) {
  const event = { name: "message", id: null, data: "" };
  for (const line of frame.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const [field, value] = [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data += value;
  }
  return event;
}

// A reply that is being joined from its pieces.
export class Reply {
  text = "";
  reasoning = "";
  calls = [];
  error = null;

  // Adds a document of a stream, or a whole reply.
  add(piece) {
    const message = piece.choices?.[0]?.delta ?? piece.choices?.[0]?.message ?? piece.message;
    this.#message(message ?? {});
    for (const block of piece.content ?? []) this.#block(block);
    if (piece.content_block) this.#block(piece.content_block, piece.index);
    if (piece.delta) this.#delta(piece.delta, piece.index);
    if (piece.error) this.error = piece.error.message ?? String(piece.error);
  }

  #message(message) {
    if (typeof message.content === "string") this.text += message.content;
    this.reasoning += message.reasoning_content ?? message.reasoning ?? message.thinking ?? "";
    for (const [place, call] of (message.tool_calls ?? []).entries()) {
      const known = this.#call(call.index ?? call.function?.index ?? place);
      known.name += call.function?.name ?? "";
      const more = call.function?.arguments ?? "";
      known.arguments += typeof more === "string" ? more : JSON.stringify(more);
    }
  }

  #block(block, index = this.calls.length) {
    if (block.type === "text") this.text += block.text ?? "";
    if (block.type === "thinking") this.reasoning += block.thinking ?? "";
    if (block.type !== "tool_use") return;
    const call = this.#call(index);
    call.name += block.name;
    if (Object.keys(block.input ?? {}).length > 0) call.arguments += JSON.stringify(block.input);
  }

  #delta(delta, index) {
    this.text += delta.text ?? "";
    this.reasoning += delta.thinking ?? "";
    if (delta.partial_json !== undefined) this.#call(index).arguments += delta.partial_json;
  }

  #call(index) {
    let call = this.calls.find((one) => one.index === index);
    if (call === undefined) this.calls.push(call = { index, name: "", arguments: "" });
    return call;
  }
}

// The reply in the bytes that passed through; null if they have another form, or were cut off.
export function joined(bytes) {
  const reply = new Reply();
  const documents = bytes.trimStart().startsWith("{")
    ? whole(bytes) ?? bytes.split("\n")
    : bytes.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
  let found = false;
  for (const text of documents) {
    try {
      reply.add(JSON.parse(text));
      found = true;
    } catch {
      // `[DONE]`, or the last line of a cut reply.
    }
  }
  return found ? reply : null;
}

function whole(bytes) {
  try {
    JSON.parse(bytes);
    return [bytes];
  } catch {
    return null;
  }
}

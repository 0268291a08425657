// Reads the stream of events, and opens it again when it breaks. The browser's own EventSource
// cannot send the key in a header.

import { ApiError, pieces, send } from "./api.js";
import { Frames } from "./frames.js";

const PAUSES = [500, 1000, 2000, 5000];
// The gateway sends something at least every five seconds.
const SILENCE = 20000;

// Calls `receive(name, data)` for each event and `tell(state)` when the connection changes. Returns
// only when the key is refused.
export async function watch(receive, tell) {
  let last = null;
  let failures = 0;
  for (;;) {
    try {
      const connection = await open("haft/events", last);
      tell("live");
      failures = 0;
      for await (const event of connection) {
        if (event.id !== null) last = event.id;
        receive(event.name, JSON.parse(event.data));
      }
    } catch (error) {
      if (error instanceof ApiError && [401, 403].includes(error.status)) throw error;
    }
    tell("lost");
    await new Promise((wake) => setTimeout(wake, PAUSES[Math.min(failures++, PAUSES.length - 1)]));
  }
}

// The events at a path after the one with the id `last`. `silence` ends them.
export async function open(path, last, silence = new AbortController()) {
  const headers = { accept: "text/event-stream", ...(last === null ? {} : { "last-event-id": last }) };
  const response = await send(path, { headers, signal: silence.signal });
  return events(response, silence);
}

async function* events(response, silence) {
  const frames = new Frames();
  let timer;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE);
  };
  listen();
  try {
    for await (const piece of pieces(response)) {
      listen();
      yield* frames.push(piece);
    }
  } finally {
    clearTimeout(timer);
  }
}

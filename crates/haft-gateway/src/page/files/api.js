// Requests to the gateway. The key is in a header, never in an address, and stays in this tab.

const KEY = "haft-token";

// An answer that is an error, with the gateway's sentence.
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const hasKey = () => sessionStorage.getItem(KEY) !== null;
export const useKey = (key) => sessionStorage.setItem(KEY, key);
export const forgetKey = () => sessionStorage.removeItem(KEY);

// The response to a request; an error status is thrown.
export async function send(path, options = {}) {
  const key = sessionStorage.getItem(KEY);
  const headers = { ...options.headers };
  if (key !== null) headers.authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The gateway cannot be reached");
  }
  if (!response.ok) throw new ApiError(response.status, await sentence(response));
  return response;
}

export async function load(path) {
  return (await send(path)).json();
}

export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return (await send(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

// The pieces of text of a response, as they arrive.
export async function* pieces(response) {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function sentence(response) {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    return typeof error === "string" ? error : error.message;
  } catch {
    return text.slice(0, 300) || `The gateway answered with status ${response.status}`;
  }
}

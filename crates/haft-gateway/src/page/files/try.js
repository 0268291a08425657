// The box to try a question with tools, through the gateway like any client.

import { load, pieces, send } from "./api.js";
import { element, find, replace } from "./dom.js";
import { Frames, Reply } from "./frames.js";
import { note, reply } from "./messages.js";

const EXAMPLE = [{
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather of the next days in a city",
    parameters: {
      type: "object",
      required: ["city"],
      properties: {
        city: { type: "string" },
        days: { type: "integer", minimum: 1, maximum: 7 },
      },
    },
  },
}];

export class Try {
  #running = null;
  #showRequest;

  // `showRequest` is called with the id of a request that is to be shown.
  constructor(showRequest) {
    this.#showRequest = showRequest;
    find("try-tools").value = JSON.stringify(EXAMPLE, null, 2);
    find("try").addEventListener("toggle", () => this.#listModels());
    find("try-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    find("try-stop").addEventListener("click", () => this.#running?.abort());
  }

  async #listModels() {
    const select = find("try-model");
    if (!find("try").open || select.options.length > 0) return;
    try {
      const { data } = await load("v1/models");
      select.replaceChildren(...data.map(({ id }) => element("option", {}, id)));
      if (data.length === 0) this.#say("The model servers have no models.");
    } catch (error) {
      this.#say(error.message);
    }
  }

  async #ask() {
    let tools;
    try {
      tools = JSON.parse(find("try-tools").value || "[]");
      if (!Array.isArray(tools)) throw new Error("a list in [ ] is needed");
    } catch (error) {
      this.#say(`The tools are not valid JSON: ${error.message}`);
      find("try-tools").focus();
      return;
    }
    const body = {
      model: find("try-model").value,
      stream: true,
      messages: [{ role: "user", content: find("try-question").value }],
      ...(tools.length > 0 ? { tools } : {}),
    };
    this.#running = new AbortController();
    this.#switch(true);
    try {
      await this.#stream(body, this.#running.signal);
    } catch (error) {
      this.#say(error.name === "AbortError" ? "Stopped." : error.message);
    }
    this.#switch(false);
  }

  async #stream(body, signal) {
    replace(find("try-reply"), note("Waiting for the model"));
    const headers = { "content-type": "application/json" };
    const response = await send("v1/chat/completions", { method: "POST", headers, body: JSON.stringify(body), signal });
    const id = response.headers.get("x-request-id");
    const [frames, said] = [new Frames(), new Reply()];
    for await (const piece of pieces(response)) {
      for (const { data } of frames.push(piece)) if (data !== "[DONE]") said.add(JSON.parse(data));
      replace(find("try-reply"), reply(said));
    }
    const error = said.error === null ? null : element("p", { class: "error", role: "alert" }, said.error);
    const blocks = reply(said);
    const link = element("p", {}, element("button", { type: "button", class: "quiet", onclick: () => this.#showRequest(id) }, "Show this request"));
    find("try-reply").replaceChildren(...blocks, ...[error, link].filter((one) => one !== null));
  }

  #switch(isRunning) {
    find("try-send").disabled = isRunning;
    find("try-stop").hidden = !isRunning;
  }

  #say(text) {
    replace(find("try-reply"), element("p", { class: "error", role: "alert" }, text));
  }
}

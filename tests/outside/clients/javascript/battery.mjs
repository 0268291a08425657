// What every SDK must see through haft, streamed and not; the twin of `python/battery.py`, which
// says what is asked. Each `check_*.mjs` brings a client.
import { isDeepStrictEqual } from "node:util";
import { deflateSync, crc32 } from "node:zlib";

const HELLO = "Hello there, how are you today? Åse says 🌧.";
const weather = { type: "object", required: ["city"], properties: {
  city: { type: "string" }, days: { type: "integer" }, unit: { type: "string", enum: ["celsius", "fahrenheit"] } } };
export const TOOLS = [
  { name: "get_weather", description: "The weather in a city", parameters: weather },
  { name: "get_time", description: "The time now", parameters: { type: "object", properties: {} } },
];
const CITY = { type: "object", required: ["city", "inhabitants"], additionalProperties: false, properties: {
  city: { type: "string" }, inhabitants: { type: "integer" } } };

function picture() {
  const number = (value) => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(value); return bytes; };
  const chunk = (kind, data) => {
    const named = Buffer.concat([Buffer.from(kind), data]);
    return Buffer.concat([number(data.length), named, number(crc32(named))]);
  };
  const head = Buffer.concat([number(1), number(1), Buffer.from([8, 2, 0, 0, 0])]);
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.from([0, 255, 0, 0]))), chunk("IEND", Buffer.alloc(0))]);
}

const PICTURE = picture();

export class Battery {
  constructor(client) {
    Object.assign(this, { client, passed: 0, failures: 0 });
  }

  check(name, good, seen) {
    good ? this.passed++ : this.failures++;
    if (!good) console.log(`FAILED  ${this.client.name}: ${name}\n        ${JSON.stringify(seen)}`);
  }

  same(name, seen, expected) {
    this.check(name, isDeepStrictEqual(seen, expected), { seen, expected });
  }

  async throws(name, status, action) {
    try {
      this.check(name, false, await action());
    } catch (error) {
      const good = status === "error" ? error instanceof Error : this.client.status(error) === status;
      this.check(name, good, { status, name: error.constructor.name, said: String(error) });
    }
  }

  ask(question, streamed, more = {}) {
    const { history = [], ...rest } = more;
    return this.client.ask([...history, { user: question }], streamed, rest);
  }

  async run() {
    const parts = [this.text, this.calls, this.results, this.settings, this.errors];
    for (const streamed of [false, true]) {
      for (const part of parts) {
        const mode = streamed ? "streamed" : "whole";
        await part.call(this, mode, streamed).catch((error) => this.check(`${part.name} ${mode}`, false, String(error.stack)));
      }
    }
    const models = await this.client.models();
    this.check("lists models", models.includes("scripted") && models.includes("scripted-2"), models);
    await this.leaves();
    for (const [name, extra] of Object.entries(this.client.extras ?? {})) {
      await extra(this).then((seen) => this.check(name, seen === true, seen), (error) => this.check(name, false, String(error.stack)));
    }
    console.log(`${this.client.name}: ${this.passed} passed, ${this.failures} failed`);
    process.exit(this.failures ? 1 : 0);
  }

  async text(mode, streamed) {
    let seen = await this.ask("[[hello]]", streamed);
    this.same(`text ${mode}`, [seen.text, seen.calls, seen.stop, seen.pieces > 3], [HELLO, [], "end", streamed]);
    this.check(`usage ${mode}`, seen.usage[0] > 0 && seen.usage[1] > 5, seen.usage);
    seen = await this.ask("[[length]]", streamed);
    this.same(`the limit ended it ${mode}`, [seen.text, seen.stop], ["One two three", "length"]);
    seen = await this.ask("[[think]]", streamed, { think: true });
    this.same(`thinking ${mode}`, [seen.text, seen.thinking], ["Forty-two.", "Let me count to 42."]);
    seen = await this.ask("[[see]]", streamed, { image: PICTURE.toString("base64") });
    this.same(`a picture ${mode}`, seen.text, `image/png of ${PICTURE.length} bytes`);
  }

  async calls(mode, streamed) {
    const cases = {
      call: ["", [["get_weather", { city: "Paris", unit: "celsius" }]]],
      two: ["", [["get_weather", { city: "Oslo" }], ["get_weather", { city: "Rome" }]]],
      beside: ["Let me look.", [["get_weather", { city: "Zürich 東京 🌦" }]]],
      noargs: ["", [["get_time", {}]]],
      printed: ["", [["get_weather", { city: "Paris" }]]],
      broken: ["", [["get_weather", { city: "Paris", days: 3 }]]],
    };
    for (const [script, [text, calls]] of Object.entries(cases)) {
      const seen = await this.ask(`[[${script}]]`, streamed, { tools: TOOLS });
      const made = seen.calls.map((call) => [call.name, call.args]);
      this.same(`call ${script} ${mode}`, [seen.text, made, seen.stop], [text, calls, "calls"]);
    }
  }

  async results(mode, streamed) {
    const first = await this.ask("[[two]]", streamed, { tools: TOOLS });
    const history = [{ user: "[[two]]" }, { reply: first }, { results: first.calls.map((call, at) => [call, ["cold", "warm"][at]]) }];
    const seen = await this.client.ask(history, streamed, { tools: TOOLS });
    this.same(`results ${mode}`, seen.text, "The tools say: Oslo: cold; Rome: warm");
    const again = await this.ask("[[two]]", streamed, { tools: TOOLS, history: [...history, { reply: seen }] });
    const ids = [...first.calls, ...again.calls].map((call) => call.id);
    this.check(`ids stay unique ${mode}`, new Set(ids).size === 4, ids);
    const data = await this.client.ask(history, streamed, { tools: TOOLS, schema: CITY });
    this.same(`results as data ${mode}`, Object.keys(JSON.parse(data.text)).sort(), ["city", "inhabitants"]);
  }

  async settings(mode, streamed) {
    let seen = await this.ask("Tell me of 'Lima' with its 9 inhabitants", streamed, { schema: CITY });
    this.same(`schema ${mode}`, JSON.parse(seen.text), { city: "Lima", inhabitants: 9 });
    if (this.client.hasStop ?? true) {
      seen = await this.ask("Hello", streamed, { stop: ["how"] });
      this.same(`stop ${mode}`, seen.text.trim(), "Hello there,");
    }
    seen = await this.ask("Hello", streamed, { limit: 2 });
    this.same(`limit ${mode}`, [seen.text.trim(), seen.stop], ["Hello there,", "length"]);
    if (!this.client.hasToolChoice) return;
    for (const [choice, called] of [["required", ["get_weather"]], ["none", []], ["get_time", ["get_time"]]]) {
      seen = await this.ask("What is the weather in 'Rome'?", streamed, { tools: TOOLS, choice });
      this.same(`tool_choice ${choice} ${mode}`, seen.calls.map((call) => call.name), called);
    }
  }

  async errors(mode, streamed) {
    for (const [script, status] of [["refuse", 400], ["limit", 429], ["fail", 502]]) {
      await this.throws(`${script} ${mode}`, status, () => this.ask(`[[${script}]]`, streamed));
    }
    await this.throws(`unknown model ${mode}`, 404, () => this.ask("Hello", streamed, { model: "nobody" }));
    await this.throws(`a call that stays wrong ${mode}`, "error", () => this.ask("[[hopeless]]", streamed, { tools: TOOLS }));
    for (const script of ["dies", "stops"]) {
      await this.throws(`${script} in mid-stream ${mode}`, "error", () => this.ask(`[[${script}]]`, streamed));
    }
  }

  async leaves() {
    const left = async () => (await (await fetch(`${process.env.UPSTREAM}/left`)).json()).left;
    const before = await left();
    await this.client.leave("[[slow]]");
    const started = performance.now();
    while ((await left()) === before && performance.now() - started < 5000) {
      await new Promise((ready) => setTimeout(ready, 20));
    }
    const took = performance.now() - started;
    this.check("a client that leaves frees the server within a second", took < 1000, took);
  }
}

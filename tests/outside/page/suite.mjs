// The page of `haft serve` in a real Chromium.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Gateway } from "./gateway.mjs";
import { HOSTILE, startUpstream } from "./upstream.mjs";

const [haft, playwright] = process.argv.slice(2);
const { chromium } = await import(playwright);
const shots = process.env.PAGE_SHOTS ?? fs.mkdtempSync(path.join(os.tmpdir(), "haft-page-shots-"));
const WIDTHS = [400, 900, 1900];
let failures = 0;

function check(name, good, seen = "") {
  if (!good) failures += 1;
  console.log(`${good ? "ok     " : "FAILED "} ${name}${good ? "" : `\n        ${seen}`}`);
}

// For what the page shows with its next update: true within ten seconds, or failed with the last
// value seen.
async function eventually(name, read, good) {
  const until = Date.now() + 10_000;
  let seen = await read();
  while (!good(seen) && Date.now() < until) {
    await new Promise((done) => setTimeout(done, 50));
    seen = await read();
  }
  check(name, good(seen), seen);
}

// A tab, and what went wrong in it.
async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1900, height: 1100 }, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("request", (request) => request.url().startsWith(url) || page.faults.push(`asked ${request.url()}`));
  await page.goto(`${url}/`);
  return page;
}

const live = (page) => page.locator('#connection[data-state="live"]').waitFor();
const row = (page, model) => page.locator("#list button.row", { hasText: model }).first();
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim().slice(0, 40));

async function shoot(page, name) {
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
}

async function traffic(gateway) {
  await Promise.all(["qwen3:4b", "qwen3:4b", "llama3.2:3b", "mistral:7b", "tinyllama:1b", "hostile", "broken", "qwen3:4b"]
    .map((model) => gateway.ask(model)));
  await gateway.ask("qwen3:4b", { stream: false }, { "x-haft-repair": "off" });
}

async function requestsAsTheyRun(browser, gateway) {
  const page = await open(browser, gateway.url);
  await live(page);
  await page.locator("#empty").waitFor();
  check("an empty page says where requests will appear", (await page.locator("#empty").textContent()).includes("appear here"));
  await shoot(page, "empty-1900");
  const asked = gateway.ask("gemma3:1b");
  await row(page, "gemma3:1b").waitFor();
  await row(page, "gemma3:1b").click();
  await page.getByText("writing", { exact: true }).first().waitFor();
  await page.waitForTimeout(900);
  const during = await page.locator("#detail").textContent();
  check("a running request is seen while it is written", /writing/.test(during) && !during.includes("written by the model."), during);
  await shoot(page, "running-1900");
  await asked;
  await page.locator("#detail").getByText("written by the model.").first().waitFor();
  await row(page, "gemma3:1b").getByText("answered").waitFor();
  check("and to its end, without a reload", true);
  check("nothing went wrong in the tab", page.faults.length === 0, page.faults);
  await page.context().close();
}

async function sideBySide(page) {
  await row(page, "llama3.2:3b").click();
  const panel = (name) => page.getByRole("region", { name, exact: true });
  await panel("Raw reply").getByText("<tool_call>").waitFor();
  check("messages: what the client asked", (await panel("Messages").textContent()).includes("next 3 days"));
  check("raw reply: as the model wrote it", (await panel("Raw reply").textContent()).includes("'days': '3',}}"));
  const repaired = await panel("Repaired and sent").textContent();
  check("repaired: what was changed, and the call as sent", repaired.includes('"days": 3') && /found in text/.test(repaired), repaired);
  await shoot(page, "repaired-1900");
  await row(page, "tinyllama:1b").click();
  await panel("Repaired and sent").getByText("Asked again").first().waitFor();
  check("recovery: the steps and both raw replies", (await panel("Raw reply").textContent()).includes("Request 2"));
  await shoot(page, "recovered-1900");
  await row(page, "broken").click();
  await page.locator("#detail .error").waitFor();
  check("a failure is said plainly", /out of memory|500|failed/i.test(await page.locator("#detail .error").textContent()));
}

async function hostile(page) {
  await row(page, "hostile").click();
  await page.getByRole("region", { name: "Raw reply", exact: true }).getByText("onerror").waitFor();
  const shown = await page.locator("#detail").textContent();
  check("a hostile reply is text", shown.includes(HOSTILE) && (await page.title()) === "haft");
  check("and no element", (await page.locator("#detail img, #detail b, #detail script").count()) === 0);
}

// What passes through is joined by the page, in the API in which it came.
async function passedOn(page) {
  await page.locator("#list button.row", { hasText: "passed on" }).first().click();
  await page.getByRole("region", { name: "Raw reply", exact: true }).getByText('{"city": "Oslo", "days": 3}').waitFor();
  check("what passed through is readable, and said to be unchanged", (await page.locator("#detail").textContent()).includes("byte by byte"));
  const samples = {
    openai: 'data: {"choices": [{"delta": {"content": "Hi "}}]}\n\ndata: {"choices": [{"delta": {"content": "you", "tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{\\"a\\""}}]}}]}\n\ndata: {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": ":1}"}}]}}]}\n\ndata: [DONE]\n\n',
    ollama: '{"message": {"content": "Hi "}}\n{"message": {"content": "you", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}}\n{"done": tr',
    anthropic: 'event: content_block_start\ndata: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}\n\ndata: {"index": 0, "delta": {"type": "text_delta", "text": "Hi you"}}\n\ndata: {"index": 1, "content_block": {"type": "tool_use", "name": "f", "input": {}}}\n\ndata: {"index": 1, "delta": {"partial_json": "{\\"a\\":1}"}}\n\n',
    "openai whole": '{"choices": [{"message": {"content": "Hi you", "tool_calls": [{"function": {"name": "f", "arguments": "{\\"a\\":1}"}}]}}]}',
    "anthropic whole": '{"content": [{"type": "text", "text": "Hi you"}, {"type": "tool_use", "name": "f", "input": {"a": 1}}]}',
  };
  for (const [api, bytes] of Object.entries(samples)) {
    const { text, calls } = await page.evaluate(async (bytes) => ({ ...(await import("/haft/page/frames.js")).joined(bytes) }), bytes);
    const said = `${text} ${calls.map((call) => call.name + call.arguments)}`;
    check(`a reply of ${api} is joined`, said === 'Hi you f{"a":1}', said);
  }
}

async function charts(page) {
  const text = (selector) => () => page.locator(selector).textContent();
  const label = () => page.locator("#models svg").first().getAttribute("aria-label");
  await eventually("a chart says its numbers", label, (label) => /qwen3:4b: \d as the model wrote it/.test(label));
  await eventually("repairs are counted by kind", text("#repairs"), (text) => text.includes("found in text"));
  await eventually("steps that helped are counted", text("#recovery"), (text) => text.includes("helped"));
  await eventually("the model server is listed", text("#upstreams"), (text) => text.includes("in use"));
  await page.locator("#filter").fill("qwen broken-none");
  await page.locator("#empty").waitFor();
  check("a filter without a match says so", (await page.locator("#empty").textContent()).includes("matches"));
  await page.locator("#filter").fill("qwen");
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 4);
  await page.locator("#filter").fill("");
  await page.locator("#outcome").selectOption("failed");
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 1);
  check("the list is filtered by words and by state", true);
  await page.locator("#outcome").selectOption("all");
}

async function keyboard(page) {
  await page.locator("h1").click();
  await page.keyboard.press("/");
  check("/ goes to the filter", (await focused(page)) === "filter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  check("Tab goes on to the list", (await page.evaluate(() => document.activeElement.className)) === "row");
  await page.keyboard.press("ArrowDown");
  const second = await focused(page);
  await page.keyboard.press("ArrowUp");
  check("arrows walk it", second !== (await focused(page)));
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  check("the focus is visible", outline === "solid", outline);
  await page.keyboard.press("Enter");
  await page.locator("#detail .facts").waitFor();
  await page.keyboard.press("Escape");
  check("Escape closes the request and goes back to its row", (await page.locator("#detail .facts").count()) === 0
    && (await page.evaluate(() => document.activeElement.className)) === "row");
}

async function tried(page) {
  await page.locator("#try summary").click();
  await page.locator("#try-model option").first().waitFor({ state: "attached" });
  await page.locator("#try-model").selectOption("llama3.2:3b");
  await page.locator("#try-tools").fill("[{");
  await page.locator("#try-send").click();
  await page.locator("#try-reply").getByText("not valid JSON").waitFor();
  check("tools that are no JSON are refused with the reason", true);
  await page.locator("#try-tools").fill(JSON.stringify([{ type: "function", function: { name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } } } }]));
  await page.locator("#try-send").click();
  await page.locator("#try-reply").getByText("Call get_weather").waitFor();
  await eventually("a tried question shows the call", () => page.locator("#try-reply").textContent(), (text) => text.includes("Oslo"));
  await shoot(page, "tried-1900");
  await page.locator("#try-reply").getByText("Show this request").click();
  await page.locator("#detail .facts").waitFor();
  check("and leads to its request", (await page.locator("#detail h2").first().textContent()) === "llama3.2:3b");
  await page.locator("#try summary").click();
}

async function everyWidth(browser, gateway) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      const page = await open(browser, gateway.url, { viewport: { width, height: 1000 }, colorScheme, reducedMotion: "reduce" });
      await live(page);
      await row(page, "llama3.2:3b").click();
      await page.locator("#detail .panel").first().waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(`${colorScheme} ${width}: nothing is wider than the window`, wide <= width, wide);
      await shoot(page, `${colorScheme}-${width}`);
      await page.context().close();
    }
  }
}

async function theme(page) {
  const color = () => page.evaluate(() => getComputedStyle(document.body).color + getComputedStyle(document.documentElement).backgroundColor);
  const before = await color();
  await page.locator("#theme").click();
  await page.locator("#theme").click();
  check("the switch makes a light page dark", (await color()) !== before && (await page.locator("#theme").textContent()) === "Theme: dark");
  await page.locator("#theme").click();
}

async function signIn(browser, upstream) {
  const gateway = new Gateway(haft);
  const secret = gateway.run("keys", "add", "alice", "--tokens-per-day", "100000").match(/haft_\S+/)[0];
  await gateway.start("--upstream", `openai:${upstream.url}`, "--token", "the-operators-key");
  const page = await open(browser, gateway.url, { colorScheme: "dark", viewport: { width: 900, height: 700 } });
  await page.locator("#token").waitFor();
  await shoot(page, "login-900");
  await page.locator("#token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("This key is unknown").waitFor();
  check("a wrong key is refused with a sentence", true);
  await page.locator("#token").fill(secret);
  await page.keyboard.press("Enter");
  await page.getByText("for the operator").waitFor();
  check("the key of a user does not open it", await page.locator("#page").isHidden());
  await page.locator("#token").fill("the-operators-key");
  await page.keyboard.press("Enter");
  await live(page);
  await gateway.ask("llama3.2:3b", {}, { authorization: `Bearer ${secret}` });
  await row(page, "llama3.2:3b").click();
  await page.locator("#detail").getByText("Content is switched off").waitFor();
  const all = await page.content();
  check("a user's content is not kept, and no key is shown", !all.includes("next 3 days?\"") && !all.includes(secret) && !all.includes("the-operators-key"));
  check("nothing of the key is in the address", page.url() === `${gateway.url}/`);
  await page.reload();
  await live(page);
  await page.locator("#keys").getByText("alice").waitFor();
  check("the usage of keys is listed", /alice/.test(await page.locator("#keys").textContent()));
  await shoot(page, "signed-in-900");
  await page.locator("#leave").click();
  await page.locator("#token").waitFor();
  check("signing out asks for the key again", true);
  await page.context().close();
  await gateway.stop();
}

const runRow = (page, question) => page.locator("#runs-list button.row", { hasText: question }).first();

// Durable runs: a store, a worker with the demo home, and a person at the page.
async function durableRuns(browser, upstream) {
  const gateway = new Gateway(haft);
  const store = ["--store", "sqlite:runs.db"];
  await gateway.start("--upstream", `openai:${upstream.url}`, ...store);
  const worker = gateway.spawn("work", "--model", "builtin", "--home", "demo", ...store);
  const page = await open(browser, gateway.url);
  await live(page);
  await page.locator("#runs-empty").waitFor();
  check("a store without runs says how to begin one", (await page.locator("#runs-empty").textContent()).includes("haft run"));
  const begin = (question, ...more) => gateway.run("run", "--detach", ...store, ...more, question).trim();
  begin("Lock the front door");
  await runRow(page, "Lock the front door").getByText("approval", { exact: true }).waitFor();
  await eventually("a run that waits is counted", () => page.locator("#runs-count").textContent(), (text) => text.includes("1 decision to make"));
  await runRow(page, "Lock the front door").focus();
  await page.keyboard.press("Enter");
  const decision = page.getByRole("region", { name: "Decision", exact: true });
  await decision.getByText("Front Door Lock").first().waitFor();
  await eventually("its steps so far are shown", () => page.locator("#run").textContent(), (text) => text.includes("reply"));
  await shoot(page, "run-waits-1900");
  await everyWidthOfRuns(browser, gateway);
  await decision.getByRole("button", { name: "Allow" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#run").getByText("Front Door Lock is now locked.").last().waitFor();
  await runRow(page, "Lock the front door").getByText("answered").waitFor();
  await eventually("allowed by keyboard, it goes on to its answer", () => decision.count(), (count) => count === 0);
  await shoot(page, "run-answered-1900");
  await page.keyboard.press("Escape");
  check("Escape closes the run and goes back to its row", (await page.locator("#run .facts").count()) === 0
    && (await page.evaluate(() => document.activeElement.className)) === "row run");

  begin("Unlock the front door");
  await runRow(page, "Unlock the front door").getByText("approval", { exact: true }).waitFor();
  await runRow(page, "Unlock the front door").click();
  await decision.getByRole("button", { name: "Deny" }).click();
  await runRow(page, "Unlock the front door").getByText("approval", { exact: true }).waitFor({ state: "detached" });
  await page.locator("#run header .state.clean, #run header .state.failed").waitFor();
  await eventually("a denied call does not run", () => page.locator("#run").textContent(), (text) => text.includes("denied"));

  begin("Nobody answers <b>this</b>", "--queue", "nobody");
  await runRow(page, "Nobody answers").click();
  check("a question is text", (await page.locator("#runs b").count()) === 0);
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await runRow(page, "Nobody answers").getByText("cancelled").waitFor();
  const cancel = page.getByRole("button", { name: "Cancel the run" });
  await eventually("a run is cancelled by its button", () => cancel.count(), (count) => count === 0);
  await page.keyboard.press("ArrowUp");
  check("nothing went wrong in the tab", page.faults.length === 0, page.faults);
  await page.context().close();
  worker.kill("SIGKILL");
  const took = await gateway.stop();
  check(`Ctrl-C ends at once while runs are watched (${took} ms)`, took < 5000);
}

async function everyWidthOfRuns(browser, gateway) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      const page = await open(browser, gateway.url, { viewport: { width, height: 1000 }, colorScheme, reducedMotion: "reduce" });
      await live(page);
      await runRow(page, "Lock the front door").click();
      await page.getByRole("region", { name: "Decision", exact: true }).waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(`${colorScheme} ${width}: nothing of a run is wider than the window`, wide <= width, wide);
      await shoot(page, `run-${colorScheme}-${width}`);
      await page.context().close();
    }
  }
}

async function restarted(browser, upstream) {
  const gateway = await new Gateway(haft).start("--upstream", `openai:${upstream.url}`);
  const page = await open(browser, gateway.url);
  await live(page);
  const took = await gateway.stop();
  check(`Ctrl-C ends at once while a page is open (${took} ms)`, took < 5000);
  await page.locator('#connection[data-state="lost"]').waitFor();
  check("a lost connection is said", (await page.locator("#connection").textContent()).includes("cannot be reached"));
  await page.context().close();
}

const upstream = await startUpstream();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const gateway = await new Gateway(haft).start("--upstream", `openai:${upstream.url}`);
try {
  check("serve says where the page is", gateway.said.includes("page"), gateway.said);
  await requestsAsTheyRun(browser, gateway);
  await traffic(gateway);
  const page = await open(browser, gateway.url);
  await live(page);
  for (const step of [sideBySide, hostile, passedOn, charts, keyboard, tried, theme]) await step(page);
  check("without a store there are no runs", await page.locator("#runs").isHidden());
  check("nothing went wrong in the tab", page.faults.length === 0, page.faults);
  await page.context().close();
  await everyWidth(browser, gateway);
  await signIn(browser, upstream);
  await durableRuns(browser, upstream);
  await restarted(browser, upstream);
} finally {
  await browser.close();
  await gateway.stop();
  upstream.close();
}
console.log(`screenshots: ${shots}`);
console.log(failures === 0 ? "all passed" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

// A real `haft serve` in a folder of its own, and its clients.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const TOOLS = [{ type: "function", function: { name: "get_weather", description: "The weather in a city",
  parameters: { type: "object", required: ["city"], properties: { city: { type: "string" }, days: { type: "integer" } } } } }];

export class Gateway {
  constructor(haft, settings = "") {
    this.haft = haft;
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "haft-page-"));
    fs.writeFileSync(path.join(this.folder, "haft.toml"), settings);
    this.environment = { PATH: process.env.PATH, HOME: this.folder, OPENAI_API_KEY: "none" };
  }

  run(...words) {
    return execFileSync(this.haft, words, { cwd: this.folder, env: this.environment, encoding: "utf8", stdio: "pipe" });
  }

  // Another command that goes on until it is killed.
  spawn(...words) {
    const child = spawn(this.haft, words, { cwd: this.folder, env: this.environment, stdio: "ignore" });
    process.on("exit", () => child.kill("SIGKILL"));
    return child;
  }

  async start(...flags) {
    this.child = spawn(this.haft, ["--trust", "serve", "--listen", "127.0.0.1:0", ...flags],
      { cwd: this.folder, env: this.environment, stdio: ["ignore", "ignore", "pipe"] });
    // A suite that fails in the middle leaves no gateway behind.
    process.on("exit", () => this.child.kill("SIGKILL"));
    this.said = "";
    this.url = await new Promise((found, failed) => {
      this.child.stderr.on("data", (piece) => {
        this.said += piece;
        const address = this.said.match(/page +(http:\/\/[\d.:]+)\//);
        if (address) found(address[1]);
      });
      this.child.on("exit", () => failed(new Error(this.said)));
    });
    return this;
  }

  async stop() {
    const gone = new Promise((done) => this.child.on("exit", done));
    const begun = Date.now();
    this.child.kill("SIGINT");
    await gone;
    fs.rmSync(this.folder, { recursive: true, force: true });
    return Date.now() - begun;
  }

  ask(model, more = {}, headers = {}) {
    const messages = [
      { role: "system", content: "You are a helpful assistant with tools." },
      { role: "user", content: "What is the weather in Oslo for the next 3 days?" },
    ];
    return fetch(`${this.url}/v1/chat/completions`, { method: "POST", headers, body: JSON.stringify({ model, stream: true, messages, tools: TOOLS, ...more }) })
      .then((response) => response.text());
  }
}

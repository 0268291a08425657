// The report of `haft eval` in a real Chromium.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [haft, playwright] = process.argv.slice(2);
const { chromium } = await import(playwright);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "haft-report-"));
const shots = process.env.REPORT_SHOTS ?? folder;
const WIDTHS = [400, 900, 1900];
let failures = 0;

function check(name, good, seen = "") {
  if (!good) failures += 1;
  console.log(`${good ? "ok     " : "FAILED "} ${name}${good ? "" : `\n        ${JSON.stringify(seen)}`}`);
}

// A simulated model makes every kind of mistake, so that the report has all of its parts.
const report = path.join(folder, "report.html");
execFileSync(haft, ["eval", "home-50", "-q", "--model", "flaky:small@3", "--run", path.join(folder, "run.jsonl"), "--report", report],
  { env: { ...process.env, OLLAMA_HOST: "127.0.0.1:1" } });

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"]) {
  for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme });
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("request", (request) => request.url().startsWith("file:") || faults.push(`asked ${request.url()}`));
    await page.goto(pathToFileURL(report).href);
    const seen = await page.evaluate(() => {
      const texts = [...document.querySelectorAll("body *")].filter((node) => node.childElementCount === 0 && node.textContent.trim() && node.offsetParent);
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return {
        page: document.documentElement.scrollWidth,
        beyond: [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > innerWidth + 1).length,
        smallest: Math.min(...texts.map((node) => parseFloat(getComputedStyle(node).fontSize))),
        body: box("body").width,
        chart: box(".chart").width,
        track: box(".track").width,
        cases: document.querySelectorAll(".case").length,
        came: document.querySelector(".case").textContent,
      };
    });
    const at = `at ${width} px, ${colorScheme}`;
    check(`nothing is wider than the page ${at}`, seen.page <= width && seen.beyond === 0, seen);
    check(`text is legible ${at}`, seen.smallest >= 11, seen.smallest);
    check(`the chart uses the width ${at}`, seen.chart > seen.body * 0.85 && seen.track > seen.body * 0.5, seen);
    check(`wrong cases say what was asked, expected and came ${at}`, seen.cases > 0 && /asked.*expected.*came/s.test(seen.came), seen.came);
    check(`nothing went wrong ${at}`, faults.length === 0, faults);
    await page.screenshot({ path: path.join(shots, `report-${width}-${colorScheme}.png`), fullPage: true });
    await context.close();
  }
}
await browser.close();
console.log(`screenshots: ${shots}`);
process.exit(failures === 0 ? 0 : 1);

// Starts the page: the key, then the stream of events that keeps every part up to date.

import { load } from "./api.js";
import { showModels, showSteps } from "./charts.js";
import { Detail } from "./detail.js";
import { find } from "./dom.js";
import { watch } from "./events.js";
import { login, startLeaving } from "./login.js";
import { Requests } from "./requests.js";
import { Run } from "./run.js";
import { Runs } from "./runs.js";
import { showFigures, showKeys, showRepairs, showUpstreams } from "./tables.js";
import { startTheme } from "./theme.js";
import { Try } from "./try.js";

// How often the usage of keys is read, in milliseconds.
const KEYS_EVERY = 10000;

const CONNECTION = { live: "Live", lost: "The gateway cannot be reached; trying again" };

const requests = new Requests((number) => detail.show(number));
const detail = new Detail(() => close());
const runs = new Runs((id) => run.show(id));
const run = new Run(() => runs.close(), () => runs.refresh());
let started = null;

function receive(name, data) {
  if (name === "request") {
    requests.update(data);
    if (data.number === detail.number) detail.refresh();
  } else if (name === "status") {
    // A gateway that was started anew numbers its requests from 1 again.
    if (started !== null && started !== data.since) requests.clear();
    started = data.since;
    find("version").textContent = data.version;
    if (data.has_runs) runs.start();
    showFigures(find("figures"), data, requests.running);
    showModels(find("models"), data.totals.models);
    showSteps(find("recovery"), data.totals.recovery);
    showRepairs(find("repairs"), data.totals.repairs);
    showUpstreams(find("upstreams"), data.upstreams);
  }
}

function close() {
  const row = document.querySelector('#list [aria-current="true"]');
  requests.choose(null);
  row?.focus();
}

function showRequest(id) {
  const request = requests.byId(id);
  if (request === undefined) return;
  requests.choose(request.number);
  find("detail").scrollIntoView({ block: "nearest" });
  find("detail").focus({ preventScroll: true });
}

async function readKeys() {
  try {
    const { keys } = await load("haft/keys");
    showKeys(find("keys"), keys);
  } catch {
    // The state of the connection says so already.
  }
  setTimeout(readKeys, KEYS_EVERY);
}

function shortcuts(event) {
  const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    find("filter").focus();
  } else if (event.key === "Escape" && runs.chosen !== null && find("runs").contains(event.target)) {
    runs.close();
  } else if (event.key === "Escape" && detail.number !== null && !isTyping) {
    close();
  }
}

async function start() {
  startTheme();
  startLeaving();
  await login();
  find("page").hidden = false;
  run.show(null);
  new Try(showRequest);
  document.addEventListener("keydown", shortcuts);
  readKeys();
  const tell = (state) => {
    find("connection").dataset.state = state;
    find("connection").textContent = CONNECTION[state];
  };
  try {
    await watch(receive, tell);
  } catch {
    // The key is not valid any more.
    location.reload();
  }
}

start();

// Listens to the service's events and keeps the page up to date.

import { showFigures, showStale, summary } from "./figures.js";
import { timeOfDay } from "./format.js";
import { extendPlots, fillPlots, makePlots } from "./plots.js";
import { showRequests, showStages } from "./requests.js";

const TRY_AGAIN_MILLIS = 3000;

// An event comes each second. A service that hangs, or a network that drops, ends no connection.
const STALE_MILLIS = 5000;
const CONNECT_ANEW_MILLIS = 20_000;

const at = (id) => document.getElementById(id);
let limits = null;
let latest = 0;
let source = null;
let heardAt = performance.now();
let triedAt = heardAt;
// The service's clock minus the browser's.
let aheadMillis = null;

function say(id, text) {
  // Only what changes is said aloud.
  if (at(id).textContent !== text) at(id).textContent = text;
}

function onHistory(history) {
  limits = history.limits;
  at("instance").textContent = limits.instance;
  at("version").textContent = `Version ${limits.version}`;
  at("profile").textContent = limits.simulatedProfile ?? "";
  at("simulated").hidden = limits.simulatedProfile === null;
  showMetrics(limits.management);
  makePlots(limits, at("pools"), at("signing"));
  fillPlots(history.samples);
  latest = history.samples.at(-1)?.epochMillis ?? 0;
}

/** Where the metrics are, as a link if this browser can get there. */
function showMetrics(management) {
  const here = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  const reachable = management !== null && (here || !management.loopback);
  at("metrics").hidden = !reachable;
  at("metrics-elsewhere").hidden = reachable;
  if (reachable) {
    const scheme = management.tls ? "https" : "http";
    at("metrics").href = `${scheme}://${location.hostname}:${management.port}/actuator/prometheus`;
  }
}

function onNow(now) {
  heardAt = performance.now();
  aheadMillis = now.sample.epochMillis - Date.now();
  // The first one may be in the history already.
  if (now.sample.epochMillis > latest) {
    latest = now.sample.epochMillis;
    extendPlots(now.sample);
  }
  showFigures(limits, now);
  showRequests(at("requests"), at("none"), now.requests);
  say("summary", summary(limits, now));
  say("connection", "Live, every second");
  title(now.state.ready ? "Ready" : "Not ready");
  stale(false);
}

function onSilence() {
  const asOf = latest > 0 ? `what is shown is as of ${timeOfDay(latest)}` : "nothing was received yet";
  say("summary", `Connection lost: ${asOf}.`);
  say("connection", `Connection lost: ${asOf}. Trying again …`);
  title("No connection");
  if (latest > 0) showStale(latest);
  stale(true);
}

function title(state) {
  const text = `${state} – Keywell ${limits?.instance ?? "console"}`;
  if (document.title !== text) document.title = text;
}

function stale(yes) {
  at("connection").classList.toggle("lost", yes);
  document.body.classList.toggle("stale", yes);
}

function connect() {
  triedAt = performance.now();
  source?.close();
  source = new EventSource("console/events");
  source.addEventListener("history", (event) => onHistory(JSON.parse(event.data)));
  source.addEventListener("now", (event) => onNow(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    onSilence();
    // The browser reconnects on its own unless it got an answer other than a stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, TRY_AGAIN_MILLIS);
  });
}

function tick() {
  if (aheadMillis !== null) at("clock").textContent = timeOfDay(Date.now() + aheadMillis);
  const now = performance.now();
  if (now - heardAt > STALE_MILLIS) onSilence();
  if (now - Math.max(heardAt, triedAt) > CONNECT_ANEW_MILLIS) connect();
}

showStages(at("stages"));
connect();
setInterval(tick, 1000);

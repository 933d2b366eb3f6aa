// Listens to the service's events and keeps the page up to date.

import { showFigures, summary } from "./figures.js";
import { extendPlots, fillPlots, makePlots } from "./plots.js";
import { showRequests, showStages } from "./requests.js";

const TRY_AGAIN_MILLIS = 3000;

const at = (id) => document.getElementById(id);
let limits = null;
let latest = 0;

function onHistory(history) {
  limits = history.limits;
  at("instance").textContent = limits.instance;
  at("profile").textContent = limits.simulatedProfile ?? "";
  at("simulated").hidden = limits.simulatedProfile === null;
  makePlots(limits, at("pools"), at("signing"));
  fillPlots(history.samples);
  latest = history.samples.at(-1)?.epochMillis ?? 0;
}

function onNow(now) {
  // The first one may be in the history already.
  if (now.sample.epochMillis > latest) {
    latest = now.sample.epochMillis;
    extendPlots(now.sample);
  }
  showFigures(limits, now);
  showRequests(at("requests"), at("none"), now.requests);
  const said = summary(limits, now);
  if (at("summary").textContent !== said) at("summary").textContent = said;
  connected(true);
}

function connected(yes) {
  const notice = at("connection");
  const text = yes ? "Live, every second" : "Connection lost: what you see is old. Trying again …";
  if (notice.textContent !== text) notice.textContent = text;
  notice.classList.toggle("lost", !yes);
  document.body.classList.toggle("stale", !yes);
}

function connect() {
  const source = new EventSource("console/events");
  source.addEventListener("history", (event) => onHistory(JSON.parse(event.data)));
  source.addEventListener("now", (event) => onNow(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    connected(false);
    // The browser tries again by itself unless it was answered by something else than a stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, TRY_AGAIN_MILLIS);
  });
}

showStages(at("stages"));
connect();

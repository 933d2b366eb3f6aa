// The figures at the top of the page, and what is said aloud.

import { count, millis, perSecond, seconds, timeOfDay } from "./format.js";

const LOW_SECONDS = 300;
const NORMAL_MILLIS = 300;
const PEAK_MILLIS = 3000;

const LIMITS = {
  queue_limit: "the queue was full",
  queue_share: "a caller’s share of the queue was full",
  act_limit: "as many acts were open as may be",
  act_share: "a caller had as many open acts as it may",
  rate_limit: "a caller asked too fast",
  quota_used: "a caller’s quota was used",
  deadline: "the wait was too long",
  shutdown: "the service stopped",
  instance_lock: "the instance’s lock was lost",
  hsm: "the HSM failed",
  hsm_full: "the HSM was full",
  ca: "the CA failed",
  clock: "the clock was in doubt",
};

const HSM_STATES = {
  up: "Up",
  doubtful: "In doubt",
  reopening: "Reopening",
  down: "Down",
  hung: "Hung",
};

// As hsm-hints.properties tells them to readiness, in fewer words.
const HSM_HINTS = {
  doubtful: "a call failed; the next ones decide",
  reopening: "sessions or keys were lost; wait",
  down: "look after the device; it is tried until it works",
  hung: "look after the device; otherwise restart the service",
};

function small(text) {
  const made = document.createElement("small");
  made.textContent = text;
  return made;
}

function show(id, text, state = "plain", details = []) {
  const figure = document.getElementById(id);
  figure.querySelector(".value").replaceChildren(text, ...details.map(small));
  figure.dataset.state = state;
}

/** Takes all colour from the figures and says of when they are. */
export function showStale(epochMillis) {
  for (const figure of document.querySelectorAll(".figures > div")) {
    if (figure.dataset.state === "stale") continue;
    figure.dataset.state = "stale";
    figure.querySelector(".value").append(small(`as of ${timeOfDay(epochMillis)}`));
  }
}

/** The pool that runs dry first, with its time; null if none drains. */
function firstEmpty(limits, sample) {
  return sample.pools
    .map((pool, i) => ({
      keySpec: limits.pools[i].keySpec,
      seconds: pool.emptySeconds,
      known: pool.stored !== null,
      // No keys are made ahead, and there are none: nothing that runs dry.
      unused: limits.pools[i].maxStored === 0 && pool.stored === 0 && pool.loaded === 0,
    }))
    .filter((pool) => pool.known && !pool.unused && pool.seconds !== null)
    .reduce((first, pool) => (first === null || pool.seconds < first.seconds ? pool : first), null);
}

/** Whether requests came in the last seconds: without any, a pool that drained runs dry no more. */
const isUsed = (sample) => sample.latency !== null || sample.signedPerSecond > 0 || sample.unsignedPerSecond > 0;

function emptyText(first) {
  if (first === null) return "does not drain";
  return first.seconds === 0 ? "empty" : seconds(first.seconds);
}

function generatorText(threads) {
  const busy = Object.entries(threads).filter(([, n]) => n > 0);
  return busy.length ? busy.map(([state, n]) => `${n} ${state}`).join(", ") : "none";
}

const stateOf = (hsm) => (hsm.hung ? "hung" : hsm.state);
const stateText = (hsm) => HSM_STATES[stateOf(hsm)] ?? stateOf(hsm);

/** The state of the only one, or how many of several work. */
function hsmText(hsms) {
  if (hsms.length === 1) return stateText(hsms[0]);
  return `${hsms.filter((hsm) => hsm.up).length} of ${hsms.length} up`;
}

/** What to do about the only one, or a line for each of several. */
function hsmDetails(hsms) {
  return hsms.flatMap((hsm) => {
    const hint = HSM_HINTS[stateOf(hsm)];
    if (hsms.length === 1) return hint ? [hint] : [];
    return [`${hsm.name}: ${stateText(hsm).toLowerCase()}${hint ? `, ${hint}` : ""}`];
  });
}

export function showFigures(limits, now) {
  const { sample, state, totals } = now;
  show("readiness", state.ready ? "Ready" : "Not ready", state.ready ? "good" : "bad",
    [...state.faults.map((fault) => `${fault.part}: ${fault.reason}`), ...state.warnings]);

  show("hsm", hsmText(state.hsms), state.hsms.every((hsm) => hsm.up) ? "good" : "bad", [
    ...hsmDetails(state.hsms),
    ...(limits.simulatedProfile ? [`times simulated: ${limits.simulatedProfile}`] : []),
    ...(state.orphanedKeys > 0 ? [`${count(state.orphanedKeys)} keys not destroyed yet`] : []),
  ]);

  const known = sample.pools.every((pool) => pool.stored !== null);
  const first = firstEmpty(limits, sample);
  show("empty", known || first ? emptyText(first) : "not known",
    first !== null && first.seconds < LOW_SECONDS && isUsed(sample) ? "bad" : "plain",
    first !== null ? [first.keySpec, ...(isUsed(sample) ? [] : ["no requests now"])] : []);

  const { failing, distrusted } = state.generatorThreads;
  show("generator", generatorText(state.generatorThreads), failing + distrusted > 0 ? "bad" : "plain");
  show("rate", perSecond(sample.signedPerSecond), "plain",
    sample.unsignedPerSecond > 0 ? [`not signed: ${perSecond(sample.unsignedPerSecond)}`] : []);
  show("queue", `${count(sample.queueLength)} of ${count(limits.queueLimit)}`,
    sample.queueLength >= limits.queueLimit ? "bad" : "plain",
    state.openActs > 0 ? [`acts open between two calls: ${count(state.openActs)}`] : []);
  showLatency(sample.latency);
  showKmip(state.kmip);
  showXks(state.xks);
  showJms(state.jms);
  const unsigned = ["failed", "expired", "refused"].filter((end) => totals[end] > 0)
    .map((end) => `${count(totals[end])} ${end}`);
  show("totals", `${count(totals.signed)} signed`, "plain", [
    ...(unsigned.length ? [unsigned.join(", ")] : []),
    ...(now.refusal === null ? [] : [refusalText(now.refusal, sample.epochMillis)]),
  ]);
}

/** Only where the service listens for KMIP clients. */
function showKmip(kmip) {
  document.getElementById("kmip").hidden = kmip === null;
  if (kmip === null) return;
  const { connections, pairs } = kmip;
  show("kmip", connectionsText(connections),
    isFull(connections) || pairs.some((kind) => kind.ready === 0) ? "bad" : "plain", [
      ...refusedText(connections),
      ...pairs.map((kind) => `${kind.keySpec} pairs: ${count(kind.ready)} ready`
        + (kind.made > 0 ? `, ${count(kind.made)} made while clients waited` : "")),
    ]);
}

/** Only where the service is an external key store. */
function showXks(xks) {
  document.getElementById("xks").hidden = xks === null;
  if (xks === null) return;
  const { connections, unusableSeconds } = xks;
  const unusable = unusableSeconds !== null;
  show("xks", connectionsText(connections), isFull(connections) || unusable ? "bad" : "plain", [
    ...refusedText(connections),
    ...(unusable ? [`credentials file unusable for ${count(unusableSeconds)} s; the ones before stay valid`] : []),
  ]);
}

/** Only where the service takes requests from a broker. */
function showJms(jms) {
  document.getElementById("jms").hidden = jms === null;
  if (jms === null) return;
  const { queues, consumers, outageSeconds } = jms;
  const away = outageSeconds !== null;
  show("jms", `${count(consumers)} ${consumers === 1 ? "consumer" : "consumers"}`, away ? "bad" : "plain",
    away ? [`${queues === 1 ? "nothing" : "from some queue, nothing"} taken for ${count(outageSeconds)} s`] : []);
}

const isFull = ({ open, most }) => open >= most;
const connectionsText = ({ open, most }) => `${count(open)} of ${count(most)}`;
const refusedText = ({ refused }) => refused > 0 ? [`closed at once since the start: ${count(refused)}`] : [];

function refusalText(refusal, epochMillis) {
  const limit = LIMITS[refusal.limit] ?? refusal.limit;
  return `last refused at ${timeOfDay(epochMillis - refusal.ageMillis)}: ${limit}`;
}

function showLatency(latency) {
  if (latency === null) {
    show("latency", "no requests");
    return;
  }
  const { p50Millis, p99Millis } = latency;
  const verdict = p99Millis > PEAK_MILLIS ? "p99 beyond both limits, 300 and 3,000 ms"
    : p99Millis > NORMAL_MILLIS ? "p99 beyond 300 ms, within 3,000 ms" : "within 300 ms";
  show("latency", `${millis(p50Millis)}, ${millis(p99Millis)}`, p99Millis > PEAK_MILLIS ? "bad" : "plain", [verdict]);
}

/** In words that change only when something happens, so that a screen reader is not kept busy. */
export function summary(limits, now) {
  const { sample, state } = now;
  const first = firstEmpty(limits, sample);
  const told = [state.ready ? "The service is ready." : `Not ready: ${state.faults.map((f) => f.part).join(", ")}.`];
  told.push(...state.warnings.map((warning) => `Warning: ${warning}.`));
  for (const hsm of state.hsms) {
    const name = state.hsms.length === 1 ? "The HSM" : `The HSM ${hsm.name}`;
    if (hsm.state === "reopening") told.push(`${name} is being reopened.`);
    else if (!hsm.up) told.push(`${name} is down.`);
  }
  if (first !== null && first.seconds === 0) told.push(`The pool of ${first.keySpec} keys is empty.`);
  else if (first !== null && first.seconds < LOW_SECONDS && isUsed(sample)) told.push(`The pool of ${first.keySpec} keys is empty soon.`);
  return told.join(" ");
}

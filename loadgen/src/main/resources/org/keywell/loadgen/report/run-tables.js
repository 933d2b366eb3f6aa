// What pages say of runs: warnings, facts and the columns of tables.
"use strict";

const runTables = (() => {
  const { number, count, millis } = format;

  /** A driver that is later than this, at p99, has a part in what it measures. */
  const LATE_MILLIS = 5;

  const SIMULATED = ["Simulated times, HSM profile", (r) => r.simulatedProfile];

  const WARNINGS = [
    ["Wrong answers", ({ verification: v }) => v.invalid > 0 && `${count(v.invalid)}; the first: ${v.firstProblem}`, true],
    ["A key signed more than once; distinct public keys", ({ verification: v }) => v.distinctKeys < v.signed && `${count(v.distinctKeys)} of ${count(v.signed)}`, true],
    SIMULATED,
    ["Interrupted; requests due", (r) => r.interrupted && `${count(r.totals.due)} of ${count(r.requestsPlanned)}`],
    ["Times scaled by", (r) => r.timeScale !== 1 && number(r.timeScale)],
    ["Driver late, as part of all latencies from due; p99", ({ driver: { sendLateness: late } }) => late?.p99 >= LATE_MILLIS && millis(late.p99)],
    ["In-flight limit reached; requests not sent", (r) => r.totals.unsent > 0 && `${count(r.totals.unsent)} (limit ${count(r.driver.inFlightLimit)})`],
  ];

  /** Where the driver ran, and the service before that. */
  const MACHINE = [
    ["Times", (r) => (r.simulatedProfile ? `simulated: ${r.simulatedProfile}` : "real")],
    ["Processor", "{environment.cpu}, {environment.cores} cores"],
    ["Java", "{environment.jdk}"],
    ["System", "{environment.os}"],
    ["Load average before", "{environment.loadAverage:number}"],
    ["Git revision", ({ environment: here }) => here.gitRevision && here.gitRevision + (here.gitDirty ? ", with changes" : "")],
    ["Service mode", "{service.mode}"],
    ["Service queue limit", "{service.queue.limit:count}"],
    ["Keys stored of at most, loaded of capacity, low water", (r) =>
      r.service?.pools
        .map((p) => `${p.keySpec}: ${count(p.stored)} of ${count(p.maxStored)}, ${count(p.loaded)} of ${count(p.loadedCapacity)}, ${count(p.lowWater)}`)
        .join("; ")],
    ["Service settings", (r) => r.serviceSettings.join(", ")],
    ["Test id", "{testId}"],
  ];

  const ENVIRONMENT = [
    ...MACHINE,
    ["Service", "{driver.url}"],
    ["Keys", "{driver.keySpec}"],
    ["Deadline", "{driver.deadlineMillis:count} ms"],
    ["Answers awaited for", "{driver.timeoutMillis:count} ms"],
    ["In-flight limit", "{driver.inFlightLimit:count}"],
    ["Warm-up requests, in no figure", "{driver.warmUpRequests:count}"],
    ["Sent after due, p99 and maximum", ({ driver: { sendLateness: late } }) => late && `${millis(late.p99)}, ${millis(late.max)}`],
    ["Self-test, requests per second", "{driver.selfTest.perSecond:number}"],
    ["Self-test, driver kept up", ({ driver: { selfTest } }) => selfTest && (selfTest.keptUp ? "yes" : "NO")],
    ["Self-test, sent after due, p99", "{driver.selfTest.sendLatenessP99Millis:millis}"],
    ["Answers checked", "{verification.mode}: {verification.checked:count}"],
    ["Wrong answers", "{verification.invalid:count}"],
    ["Distinct public keys", "{verification.distinctKeys:count} of {verification.signed:count}"],
    ["Root SHA-256", "{verification.rootSha256}"],
  ];

  const TOTALS = [
    ["schedule", "{schedule}, times × {timeScale:number}"],
    ["mode", "{service.mode}"],
    ["times", (r) => (r.simulatedProfile ? `simulated: ${r.simulatedProfile}` : "real")],
    ["complete", (r) => (r.interrupted ? "no: interrupted" : "yes")],
    ["due", "{totals.due:count}"],
    ["signed", "{totals.signed:count}"],
    ["dropped", "{totals.dropped:count}"],
    ["refused (503)", "{totals.refused:count}"],
    ["failed", "{totals.failed:count}"],
    ["timeouts", "{totals.timeouts:count}"],
    ["connection errors", "{totals.connectionErrors:count}"],
    ["within 300 ms", "{totals.share300:percent}"],
    ["within 3,000 ms", "{totals.share3000:percent}"],
    ["median", "{totals.fromDue.p50:millis}"],
    ["p90", "{totals.fromDue.p90:millis}"],
    ["p99", "{totals.fromDue.p99:millis}"],
    ["p99.9", "{totals.fromDue.p999:millis}"],
    ["maximum", "{totals.fromDue.max:millis}"],
    ["peak, seconds", (r) => r.peak && number(r.peak.to - r.peak.from)],
    ["due per second at the peak", "{peak.due:number}"],
    ["signed per second at the peak", "{peak.perSecond:number}"],
    ["answers at the peak", "{peak.answers:count}"],
    ["keys made ahead of time", "{totals.preGenerated:count}"],
    ["distinct public keys", "{verification.distinctKeys:count}"],
    ["driver’s lateness, p99", "{driver.sendLateness.p99:millis}"],
  ];

  // Tables: the heads of the columns, and what these say of an item.

  const LATENCY_HEADS = "p50 ms|p90 ms|p99 ms|max ms";
  const LATENCIES = "{figures.fromDue.p50:number}|{figures.fromDue.p90:number}|{figures.fromDue.p99:number}|{figures.fromDue.max:number}";

  const STEPS = [
    `step|requests|due /s|signed /s|signed|refused|failed|timeouts|conn.|${LATENCY_HEADS}|p99 of send|≤ 300 ms|≤ 3,000 ms`,
    "{number}{inferred:star}|{from}–{to}|{perSecondDue:number}|{perSecondAchieved:number}|{figures.signed:count}|{figures.refused:count}" +
      "|{figures.failed:count}|{figures.timeouts:count}|{figures.connectionErrors:count}" +
      `|${LATENCIES}|{figures.fromSend.p99:number}|{figures.share300:percent}|{figures.share3000:percent}`,
  ];

  const STAGES = ["stage|requests|p50 ms|mean ms|p99 ms|max ms", "{stage}|{requests:count}|{p50:number}|{mean:number}|{p99:number}|{max:number}"];

  const RATES = ["from s|to s|due /s|signed /s", "{from:number}|{to:number}|{due:number}|{achieved:number}"];

  const POOL = ["seconds|queue|stored|loaded", "{seconds:number}|{queueLength:count}|{stored:count}|{loaded:count}"];

  const PROBLEMS = ["problem|times", "{0}|{1:count}"];

  /** Of one of two runs, which may have ended before this step. */
  const RUN_HEADS = `signed /s|dropped|${LATENCY_HEADS}|≤ 3,000 ms`;
  const RUN = `{perSecondAchieved:number}|{figures.dropped:count}|${LATENCIES}|{figures.share3000:percent}`;

  const STEPS_OF_BOTH = [
    `step|due /s|fly: ${RUN_HEADS}|pool: ${RUN_HEADS}`,
    `{longer.number}{longer.inferred:star}|{longer.perSecondDue:number}|${RUN.replaceAll("{", "{slow.")}|${RUN.replaceAll("{", "{fast.")}`,
  ];

  return { ENVIRONMENT, MACHINE, POOL, PROBLEMS, RATES, SIMULATED, STAGES, STEPS, STEPS_OF_BOTH, TOTALS, WARNINGS };
})();

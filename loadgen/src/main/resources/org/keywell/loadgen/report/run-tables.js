// What pages say of runs: warnings, facts and the columns of tables.
"use strict";

const runTables = (() => {
  const { number, count, millis, percent } = format;

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
    ["Processor", ({ environment: here }) => `${here.cpu}, ${here.cores} cores`],
    ["Java", (r) => r.environment.jdk],
    ["System", (r) => r.environment.os],
    ["Load average before", (r) => number(r.environment.loadAverage)],
    ["Git revision", ({ environment: here }) => here.gitRevision && here.gitRevision + (here.gitDirty ? ", with changes" : "")],
    ["Service mode", (r) => r.service?.mode],
    ["Service queue limit", (r) => count(r.service?.queue?.limit)],
    ["Keys stored of at most, loaded of capacity, low water", (r) =>
      r.service?.pools
        .map((p) => `${p.keySpec}: ${count(p.stored)} of ${count(p.maxStored)}, ${count(p.loaded)} of ${count(p.loadedCapacity)}, ${count(p.lowWater)}`)
        .join("; ")],
    ["Service settings", (r) => r.serviceSettings.join(", ")],
    ["Test id", (r) => r.testId],
  ];

  const ENVIRONMENT = [
    ...MACHINE,
    ["Service", (r) => r.driver.url],
    ["Keys", (r) => r.driver.keySpec],
    ["Deadline", (r) => `${count(r.driver.deadlineMillis)} ms`],
    ["Answers awaited for", (r) => `${count(r.driver.timeoutMillis)} ms`],
    ["In-flight limit", (r) => count(r.driver.inFlightLimit)],
    ["Warm-up requests, in no figure", (r) => count(r.driver.warmUpRequests)],
    ["Sent after due, p99 and maximum", ({ driver: { sendLateness: late } }) => late && `${millis(late.p99)}, ${millis(late.max)}`],
    ["Self-test, requests per second", (r) => number(r.driver.selfTest?.perSecond)],
    ["Self-test, driver kept up", ({ driver: { selfTest } }) => selfTest && (selfTest.keptUp ? "yes" : "NO")],
    ["Self-test, sent after due, p99", (r) => millis(r.driver.selfTest?.sendLatenessP99Millis)],
    ["Answers checked", ({ verification: v }) => `${v.mode}: ${count(v.checked)}`],
    ["Wrong answers", (r) => count(r.verification.invalid)],
    ["Distinct public keys", ({ verification: v }) => `${count(v.distinctKeys)} of ${count(v.signed)}`],
    ["Root SHA-256", (r) => r.verification.rootSha256],
  ];

  const TOTALS = [
    ["schedule", (r) => `${r.schedule}, times × ${number(r.timeScale)}`],
    ["mode", (r) => r.service?.mode],
    ["times", (r) => (r.simulatedProfile ? `simulated: ${r.simulatedProfile}` : "real")],
    ["complete", (r) => (r.interrupted ? "no: interrupted" : "yes")],
    ["due", (r) => count(r.totals.due)],
    ["signed", (r) => count(r.totals.signed)],
    ["dropped", (r) => count(r.totals.dropped)],
    ["refused (503)", (r) => count(r.totals.refused)],
    ["failed", (r) => count(r.totals.failed)],
    ["timeouts", (r) => count(r.totals.timeouts)],
    ["connection errors", (r) => count(r.totals.connectionErrors)],
    ["within 300 ms", (r) => percent(r.totals.share300)],
    ["within 3,000 ms", (r) => percent(r.totals.share3000)],
    ["median", (r) => millis(r.totals.fromDue?.p50)],
    ["p90", (r) => millis(r.totals.fromDue?.p90)],
    ["p99", (r) => millis(r.totals.fromDue?.p99)],
    ["p99.9", (r) => millis(r.totals.fromDue?.p999)],
    ["maximum", (r) => millis(r.totals.fromDue?.max)],
    ["peak, seconds", (r) => r.peak && number(r.peak.to - r.peak.from)],
    ["due per second at the peak", (r) => number(r.peak?.due)],
    ["signed per second at the peak", (r) => number(r.peak?.perSecond)],
    ["answers at the peak", (r) => count(r.peak?.answers)],
    ["keys made ahead of time", (r) => count(r.totals.preGenerated)],
    ["distinct public keys", (r) => count(r.verification.distinctKeys)],
    ["driver’s lateness, p99", (r) => millis(r.driver.sendLateness?.p99)],
  ];

  const inferred = (step) => (step.inferred ? "*" : "");
  const STEP = ["step", (s) => s.number + inferred(s)];
  const DUE = ["due /s", (s) => number(s.perSecondDue)];
  const SIGNED = ["signed /s", (s) => number(s.perSecondAchieved)];
  const LATENCIES = ["p50", "p90", "p99", "max"].map((name) => [`${name} ms`, (s) => number(s.figures.fromDue?.[name])]);
  const WITHIN_3000 = ["≤ 3,000 ms", (s) => percent(s.figures.share3000)];
  const counted = (head, name) => [head, (s) => count(s.figures[name])];

  const STEPS = [
    STEP,
    ["requests", (s) => `${s.from}–${s.to}`],
    DUE,
    SIGNED,
    counted("signed", "signed"),
    counted("refused", "refused"),
    counted("failed", "failed"),
    counted("timeouts", "timeouts"),
    counted("conn.", "connectionErrors"),
    ...LATENCIES,
    ["p99 of send", (s) => number(s.figures.fromSend?.p99)],
    ["≤ 300 ms", (s) => percent(s.figures.share300)],
    WITHIN_3000,
  ];

  const STAGES = [
    ["stage", (s) => s.stage],
    ["requests", (s) => count(s.requests)],
    ["p50 ms", (s) => number(s.p50)],
    ["mean ms", (s) => number(s.mean)],
    ["p99 ms", (s) => number(s.p99)],
    ["max ms", (s) => number(s.max)],
  ];

  const RATES = [
    ["from s", (r) => number(r.from)],
    ["to s", (r) => number(r.to)],
    ["due /s", (r) => number(r.due)],
    ["signed /s", (r) => number(r.achieved)],
  ];

  const POOL = [
    ["seconds", (p) => number(p.seconds)],
    ["queue", (p) => count(p.queueLength)],
    ["stored", (p) => count(p.stored)],
    ["loaded", (p) => count(p.loaded)],
  ];

  const PROBLEMS = [["problem", ([name]) => name], ["times", ([, times]) => count(times)]];

  /** A step of two runs at once; one of them may have ended before it. */
  const STEPS_OF_BOTH = [
    ["step", ({ longer }) => STEP[1](longer)],
    ["due /s", ({ longer }) => DUE[1](longer)],
    ...[["fly", "slow"], ["pool", "fast"]].flatMap(([name, which]) =>
      [[`${name}: ${SIGNED[0]}`, SIGNED[1]], counted("dropped", "dropped"), ...LATENCIES, WITHIN_3000]
        .map(([head, cell]) => [head, (both) => (both[which] ? cell(both[which]) : "–")])),
  ];

  return { ENVIRONMENT, MACHINE, POOL, PROBLEMS, RATES, SIMULATED, STAGES, STEPS, STEPS_OF_BOTH, TOTALS, WARNINGS, inferred };
})();

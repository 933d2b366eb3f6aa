// A run's figures as tables.
"use strict";

const runTables = (() => {
  const { number, count, percent } = format;

  const latencies = (latency) => ["p50", "p90", "p99", "max"].map((name) => number(latency?.[name]));

  const stepName = (step) => step.number + (step.inferred ? "*" : "");

  const steps = (run) =>
    page.table(
      "Each step",
      ["step", "requests", "due /s", "signed /s", "signed", "refused", "failed", "timeouts", "conn.", "p50 ms", "p90 ms", "p99 ms", "max ms", "p99 of send", "≤ 300 ms", "≤ 3,000 ms"],
      run.steps.map((step) => {
        const f = step.figures;
        return [
          stepName(step),
          `${step.from}–${step.to}`,
          number(step.perSecondDue),
          number(step.perSecondAchieved),
          ...[f.signed, f.refused, f.failed, f.timeouts, f.connectionErrors].map(count),
          ...latencies(f.fromDue),
          number(f.fromSend?.p99),
          percent(f.share300),
          percent(f.share3000),
        ];
      }),
    );

  const stages = (run) =>
    page.table(
      "Where the time went",
      ["stage", "requests", "p50 ms", "mean ms", "p99 ms", "max ms"],
      run.stages.map((s) => [s.stage, count(s.requests), number(s.p50), number(s.mean), number(s.p99), number(s.max)]),
    );

  function problems(run) {
    const all = Object.entries(run.totals.problems);
    return all.length ? [page.table("Problems", ["problem", "times"], all.map(([name, times]) => [name, count(times)]))] : [];
  }

  const rates = (run) =>
    page.table(
      "Rates",
      ["from s", "to s", "due /s", "signed /s"],
      page.thinned(run.rates).map((r) => [r.from, r.to, r.due, r.achieved].map(number)),
    );

  const pool = (run) =>
    page.table(
      "Queue and pool",
      ["seconds", "queue", "stored", "loaded"],
      page.thinned(run.pool).map((p) => [number(p.seconds), count(p.queueLength), count(p.stored), count(p.loaded)]),
    );

  const ROWS = [
    ["schedule", (r) => `${r.schedule}, times × ${number(r.timeScale)}`],
    ["mode", (r) => r.service?.mode ?? "unknown"],
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
    ["median", (r) => format.millis(r.totals.fromDue?.p50)],
    ["p90", (r) => format.millis(r.totals.fromDue?.p90)],
    ["p99", (r) => format.millis(r.totals.fromDue?.p99)],
    ["p99.9", (r) => format.millis(r.totals.fromDue?.p999)],
    ["maximum", (r) => format.millis(r.totals.fromDue?.max)],
    ["signed per second at the peak", (r) => number(r.peak?.perSecond)],
    ["keys made ahead of time", (r) => count(r.totals.preGenerated)],
    ["distinct public keys", (r) => count(r.verification.distinctKeys)],
    ["driver’s lateness, p99", (r) => format.millis(r.driver.sendLateness?.p99)],
  ];

  /** The figures of two whole runs beside each other. */
  const totals = (nameOfA, a, nameOfB, b) =>
    page.table("In total", ["figure", nameOfA, nameOfB], ROWS.map(([name, cell]) => [name, cell(a), cell(b)]));

  const inferred = (run) => (run.steps.some((step) => step.inferred) ? ["* not printed in the source; inferred from the climb."] : []);

  return { inferred, latencies, pool, problems, rates, stages, stepName, steps, totals };
})();

// One ramp against the traditional system and against the key pool.
"use strict";

{
  const { find, tell } = page;
  const { count, decimals, millis, percent } = format;
  const both = page.data();
  const { onTheFly, pooled } = both;
  const longer = onTheFly.steps.length > pooled.steps.length ? onTheFly : pooled;
  const runs = [pooled, onTheFly];
  const SLOW = "Key made on the fly";
  const FAST = "Key pool";

  tell("schedule", pooled.schedule);
  page.warnings("notices", runTables.WARNINGS, { [SLOW]: onTheFly, [FAST]: pooled });
  page.warnings("notices", [["No factor of throughput", () => both.incomparable && `${both.incomparable}; answers of each needed at the peak: ${both.leastAnswers}`]], { both });
  const change = (of) => `${of(onTheFly.totals)} → ${of(pooled.totals)}`;
  page.tiles("tiles", [
    [change((t) => count(t.dropped)), "dropped; on the fly → key pool"],
    [change((t) => percent(t.share300)), "of all within 300 ms; on the fly → key pool"],
    [change((t) => percent(t.share3000)), "of all within 3,000 ms; on the fly → key pool"],
    [both.incomparable ? "–" : `× ${decimals(both.throughputFactor, 1)}`, `throughput at the peak; the thesis: × ${count(both.thesisFactor)}`],
  ]);
  page.requirements("requirements", both.requirements);

  const latency = (label, run, colour, of, thin) => ({ label, run, colour, of, ...thin });
  const THIN = { dash: [3, 3], width: 1.4 };
  plot.figure(find("plots"), runPlots.latencies(
    [
      latency("on the fly, p99", onTheFly, "orange", "p99"),
      latency("on the fly, median", onTheFly, "orange", "p50", THIN),
      latency("key pool, p99", pooled, "blue", "p99"),
      latency("key pool, median", pooled, "blue", "p50", THIN),
    ],
    longer,
    runs,
  ));
  const bothRuns = (fast, slow) => [
    { label: fast, colour: "blue", run: pooled },
    { label: slow, colour: "orange", run: onTheFly },
  ];
  plot.figure(find("plots"), runPlots.rates(bothRuns("signed, key pool", "signed, on the fly"), runs));
  const dropped = bothRuns("key pool", "on the fly").map((bar) => ({ ...bar, of: (f) => f.dropped }));
  plot.figure(find("plots"), runPlots.parts("Requests dropped", dropped, longer));

  find("totals").append(page.table("In total", ["figure", SLOW, FAST], [
    ...page.fields(runTables.TOTALS, onTheFly, pooled),
    ["service’s work on a request, medians of its stages", millis(both.onTheFlyWorkMillis), millis(both.pooledWorkMillis)],
  ]));
  find("steps").append(page.grid(
    "Each step of both",
    runTables.STEPS_OF_BOTH,
    longer.steps.map((step, i) => ({ longer: step, slow: onTheFly.steps[i], fast: pooled.steps[i] })),
  ));
  runPlots.column(find("columns"), SLOW, onTheFly, pooled);
  runPlots.column(find("columns"), FAST, pooled, onTheFly);
}

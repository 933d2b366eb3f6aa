// One ramp against the traditional system and against the key pool.
"use strict";

{
  const { find, tell } = page;
  const { count, decimals, millis, number, percent } = format;
  const both = page.data();
  const { onTheFly, pooled } = both;
  const longer = onTheFly.steps.length > pooled.steps.length ? onTheFly : pooled;

  /** The factor of throughput, where it comes from, and the thesis's; or why there is none. */
  function factor() {
    if (both.incomparable) {
      return `Throughput at the peak: ${both.incomparable}. A factor takes ${both.leastAnswers} answers of each system there.`;
    }
    const { peak: slow } = onTheFly;
    const { peak: fast } = pooled;
    return (
      `At the peak (${number(fast.to - fast.from)} s with ${number(fast.due)} requests per second due on average) the key pool gave ${number(fast.perSecond)} signatures per second, and keys made on the fly ${number(slow.perSecond)}: ` +
      `${decimals(1, both.throughputFactor)} times as many (of ${count(slow.answers)} and ${count(fast.answers)} answers). ` +
      `The service worked ${millis(both.pooledWorkMillis)} on a request, instead of ${millis(both.onTheFlyWorkMillis)} (the medians of its stages). ` +
      `The thesis (section 5.1) has ${count(both.thesisFactor)}: 742 ms against 20 ms.`
    );
  }

  function verdict() {
    const slow = onTheFly.totals;
    const fast = pooled.totals;
    return (
      `With a key made for each request, ${count(slow.dropped)} of ${count(slow.due)} requests were dropped and ${percent(slow.share3000)} were signed within 3,000 ms; ` +
      `with the key pool, ${count(fast.dropped)} were dropped and ${percent(fast.share3000)} were signed within 3,000 ms.`
    );
  }

  /** What holds for both runs is said once, and otherwise for which of them it does. */
  function notices() {
    const slow = runWords.doubts(onTheFly);
    const fast = runWords.doubts(pooled);
    page.notices("notices", [
      ...runWords.wrongs(onTheFly).map((text) => `Key made on the fly: ${text}`),
      ...runWords.wrongs(pooled).map((text) => `Key pool: ${text}`),
    ], true);
    page.notices("notices", [
      ...slow.filter((doubt) => fast.includes(doubt)),
      ...slow.filter((doubt) => !fast.includes(doubt)).map((doubt) => `Key made on the fly: ${doubt}`),
      ...fast.filter((doubt) => !slow.includes(doubt)).map((doubt) => `Key pool: ${doubt}`),
    ]);
  }

  function latencies() {
    const steps = runPlots.stepNames(longer);
    const line = (label, run, colour, name, dash) => ({ label, colour, dash, width: dash ? 1.4 : 2, dots: true, points: runPlots.perStep(run, name) });
    const highest = (run) => number(runPlots.most(runPlots.known([run], "p99")));
    plot.draw(find("both-latencies"), {
      lines: [
        line("on the fly, p99", onTheFly, "orange", "p99"),
        line("on the fly, median", onTheFly, "orange", "p50", [3, 3]),
        line("key pool, p99", pooled, "blue", "p99"),
        line("key pool, median", pooled, "blue", "p50", [3, 3]),
        ...runPlots.limits(steps),
      ],
      steps,
      across: runPlots.byStep,
      up: runPlots.latencyAxis([onTheFly, pooled], "p99"),
      labels: "milliseconds",
      title: "step of rate ",
      told: `Latency of each step, of both systems, against the limits of 300 and 3,000 ms. The highest p99 with a key made on the fly is ${highest(onTheFly)} ms, with the key pool ${highest(pooled)} ms.`,
    });
  }

  function rates() {
    plot.draw(find("both-rates"), {
      lines: [
        { label: "requests due per second", colour: "grey", dash: [6, 4], points: runPlots.due(pooled) },
        { label: "signed, key pool", colour: "blue", points: runPlots.achieved(pooled) },
        { label: "signed, on the fly", colour: "orange", points: runPlots.achieved(onTheFly) },
      ],
      across: runPlots.seconds(Math.max(runPlots.end(onTheFly), runPlots.end(pooled))),
      up: runPlots.rateAxis([onTheFly, pooled]),
      labels: "requests per second",
      title: "second ",
      told: "Rate due and rates achieved over time.",
    });
  }

  function dropped() {
    const bars = (label, run, colour) => ({ label, colour, points: run.steps.map((s) => runPlots.part(s.figures.dropped, s.figures)) });
    const of = ({ totals }) => `${count(totals.dropped)} of ${count(totals.due)}`;
    plot.draw(find("both-dropped"), {
      bars: true,
      low: true,
      lines: [bars("on the fly", onTheFly, "orange"), bars("key pool", pooled, "blue")],
      steps: runPlots.stepNames(longer),
      across: runPlots.byStep,
      up: { ...plot.linear(100), max: 100 },
      labels: "% of those due",
      title: "step of rate ",
      told: `Requests dropped in each step. ${of(onTheFly)} with a key made on the fly, ${of(pooled)} with the key pool.`,
    });
  }

  function steps() {
    const columns = ["signed /s", "dropped", "p50 ms", "p90 ms", "p99 ms", "max ms", "≤ 3,000 ms"];
    const cells = (step) =>
      step
        ? [number(step.perSecondAchieved), count(step.figures.dropped), ...runTables.latencies(step.figures.fromDue), percent(step.figures.share3000)]
        : columns.map(() => "–");
    return page.table(
      "Each step of both",
      ["step", "due /s", `fly: ${columns[0]}`, ...columns.slice(1), `pool: ${columns[0]}`, ...columns.slice(1)],
      longer.steps.map((step, i) => [runTables.stepName(step), number(step.perSecondDue), ...cells(onTheFly.steps[i]), ...cells(pooled.steps[i])]),
    );
  }

  tell("schedule", `${pooled.schedule}; the same requests twice, each time against a service that had just been started`);
  notices();
  tell("verdict", verdict());
  tell("factor", factor());
  const change = (of) => `${of(onTheFly.totals)} → ${of(pooled.totals)}`;
  page.tiles("tiles", [
    [change((t) => count(t.dropped)), "dropped; on the fly → key pool"],
    [change((t) => percent(t.share300)), "of all within 300 ms; on the fly → key pool"],
    [change((t) => percent(t.share3000)), "of all within 3,000 ms; on the fly → key pool"],
    [both.incomparable ? "–" : `× ${decimals(1, both.throughputFactor)}`, `throughput at the peak; the thesis: × ${count(both.thesisFactor)}`],
  ]);
  page.requirements("requirements", both.requirements);
  latencies();
  rates();
  dropped();
  find("totals").append(runTables.totals("key made on the fly", onTheFly, "key pool", pooled));
  find("steps").append(steps(), ...runTables.inferred(pooled).map((text) => page.element("p", "about", text)));
  runColumn.draw(find("columns"), "Key made on the fly", [], onTheFly, pooled);
  runColumn.draw(find("columns"), "Key pool", [], pooled, onTheFly);
}

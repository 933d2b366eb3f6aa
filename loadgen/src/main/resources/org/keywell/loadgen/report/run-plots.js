// The plots of one run. Where another is given, on scales that hold both.
"use strict";

const runPlots = (() => {
  const { number, count } = format;

  const NORMAL_LIMIT_MILLIS = 300;
  const PEAK_LIMIT_MILLIS = 3000;

  /** A queue of one request now and then must not look like a mountain range. */
  const SHORTEST_QUEUE_AXIS = 10;
  const LOWEST_RATE_SHOWN = 50;

  const most = (values, least = 0) => values.reduce((a, b) => Math.max(a, b), least);
  const fewest = (values, otherwise) => (values.length ? values.reduce((a, b) => Math.min(a, b)) : otherwise);
  const seconds = (max) => ({ label: "seconds from the start", min: 0, max });
  const byStep = { label: "requests per second in each step" };

  const stepNames = (run) => run.steps.map((s) => number(s.perSecondDue) + (s.inferred ? "*" : ""));

  const end = (run) =>
    run.interrupted ? run.durationSeconds : most(run.steps.map((s) => s.startSeconds + s.durationSeconds), run.durationSeconds);

  const highestDue = (run) => most(run.steps.map((s) => s.perSecondDue));
  const highestRate = (run) => most(run.rates.map((r) => r.achieved), highestDue(run));

  /** Far enough down to show a system that hardly signs, but not one that does not sign at all. */
  function lowestRate(run) {
    const due = fewest(run.steps.map((s) => s.perSecondDue), 1);
    const achieved = fewest(run.rates.map((r) => r.achieved).filter((r) => r > 0), due);
    return Math.max(Math.min(due, achieved), due / LOWEST_RATE_SHOWN);
  }

  const rateAxis = (runs) => plot.logarithmic(Math.min(...runs.map(lowestRate)), Math.max(...runs.map(highestRate)));

  const due = (run) =>
    run.steps.flatMap((s) => [
      { x: s.startSeconds, y: s.perSecondDue },
      { x: s.startSeconds + s.durationSeconds, y: s.perSecondDue },
    ]);

  const achieved = (run) => run.rates.flatMap((r) => [{ x: r.from, y: r.achieved }, { x: r.to, y: r.achieved }]);

  function rates(host, run, like = run) {
    plot.draw(host, {
      lines: [
        { label: "requests due per second", colour: "grey", dash: [6, 4], points: due(run) },
        { label: "signed answers per second", colour: "blue", area: true, points: achieved(run) },
      ],
      across: seconds(Math.max(end(run), end(like))),
      up: rateAxis([run, like]),
      labels: "requests per second",
      title: "second ",
      told: `Rate due and rate achieved over time. The rate due rises to ${number(highestDue(run))} per second; the highest achieved in a slice of time is ${number(most(run.rates.map((r) => r.achieved)))}.`,
    });
  }

  const perStep = (run, name) => run.steps.map((s) => s.figures.fromDue?.[name] ?? null);
  const known = (runs, name) => runs.flatMap((run) => perStep(run, name)).filter((v) => v !== null);

  /** The thesis's limits on response times. */
  const limits = (steps) => [
    plot.limit("300 ms, normal hours", "good", NORMAL_LIMIT_MILLIS, steps.map(() => null)),
    plot.limit("3,000 ms, peak", "red", PEAK_LIMIT_MILLIS, steps.map(() => null)),
  ];

  const latencyAxis = (runs, highest) => plot.logarithmic(fewest(known(runs, "p50"), 1), most(known(runs, highest), PEAK_LIMIT_MILLIS));

  function latencies(host, run, like = run) {
    const line = (label, colour, name, dash) => ({ label, colour, dash, dots: true, points: perStep(run, name) });
    const steps = stepNames(run);
    plot.draw(host, {
      lines: [
        line("median", "blue", "p50"),
        line("p90", "green", "p90"),
        line("p99", "orange", "p99"),
        line("maximum", "purple", "max", [2, 4]),
        ...limits(steps),
      ],
      steps,
      across: byStep,
      up: latencyAxis([run, like], "max"),
      labels: "milliseconds",
      title: "step of rate ",
      told: `Latency of each step against the limits of 300 and 3,000 ms: median, 90th and 99th percentile and maximum, from when requests were due; the highest is ${number(run.totals.fromDue?.max ?? 0)} ms.`,
    });
  }

  const longestQueue = (run) => most(run.pool.map((p) => p.queueLength));
  const queueLimit = (run) => run.service?.queue?.limit ?? 0;

  function queue(host, run, like = run) {
    const longest = Math.max(SHORTEST_QUEUE_AXIS, longestQueue(run), longestQueue(like));
    const limit = queueLimit(run);
    // An empty queue under a far limit is a line on the floor: the limit shows only if it is near.
    const near = limit > 0 && longest * 4 >= limit;
    const last = Math.max(end(run), end(like));
    plot.draw(host, {
      lines: [
        { label: "waiting", colour: "blue", area: true, points: run.pool.map((p) => ({ x: p.seconds, y: p.queueLength })) },
        ...(near ? [plot.limit(`limit ${count(limit)}`, "red", limit, [0, last])] : []),
      ],
      across: seconds(last),
      up: plot.linear(near ? 1.05 * Math.max(longest, limit, queueLimit(like)) : longest),
      labels: "requests that wait",
      title: "second ",
      told: `Length of the sign queue over time. It is at most ${count(longestQueue(run))}, of ${count(limit)} allowed.`,
    });
  }

  const depth = (p) => p.stored + p.loaded;

  function pool(host, run, like = run) {
    plot.draw(host, {
      lines: [
        { label: "stored and loaded", colour: "green", area: true, points: run.pool.map((p) => ({ x: p.seconds, y: depth(p) })) },
        { label: "loaded into the HSM", colour: "blue", area: true, points: run.pool.map((p) => ({ x: p.seconds, y: p.loaded })) },
      ],
      across: seconds(Math.max(end(run), end(like))),
      up: plot.linear(most([...run.pool, ...like.pool].map(depth))),
      labels: "keys",
      title: "second ",
      told: "Depth of the key pool over time: all keys that are left, and those of them that are loaded into the HSM.",
    });
  }

  const ENDS = [
    ["signed", "signed", (f) => f.signed],
    ["refused (503)", "refused", (f) => f.refused],
    ["failed or no connection", "failed", (f) => f.failed + f.connectionErrors],
    ["timed out or abandoned", "timeout", (f) => f.timeouts + f.abandoned],
    ["not sent", "unsent", (f) => f.unsent],
  ];

  const part = (n, f) => (f.due === 0 ? 0 : (100 * n) / f.due);

  function outcomes(host, run) {
    plot.draw(host, {
      bars: true,
      stacked: true,
      low: true,
      lines: ENDS.map(([label, colour, n]) => ({ label, colour, points: run.steps.map((s) => part(n(s.figures), s.figures)) })),
      steps: stepNames(run),
      across: byStep,
      up: { ...plot.linear(100), max: 100 },
      labels: "% of those due",
      title: "step of rate ",
      told: `How the requests of each step ended. ${count(run.totals.signed)} of ${count(run.totals.due)} were signed.`,
    });
  }

  return { achieved, byStep, due, end, known, latencies, latencyAxis, limits, most, outcomes, part, perStep, pool, queue, rateAxis, rates, seconds, stepNames };
})();

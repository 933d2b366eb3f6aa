// The plots of runs. Where several are given, on scales that hold them all.
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

  const end = (run) =>
    run.interrupted ? run.durationSeconds : most(run.steps.map((s) => s.startSeconds + s.durationSeconds), run.durationSeconds);
  const overTime = (runs) => ({ across: { label: "seconds from the start", min: 0, max: most(runs.map(end)) }, title: "second " });
  const overSteps = (run) => ({
    across: { label: "requests per second in each step" },
    steps: run.steps.map((s) => number(s.perSecondDue) + format.star(s.inferred)),
    title: "step of rate ",
  });

  const highestDue = (run) => most(run.steps.map((s) => s.perSecondDue));
  const highestAchieved = (run) => most(run.rates.map((r) => r.achieved));

  /** Far enough down to show a system that hardly signs, but not one that does not sign at all. */
  function lowestRate(run) {
    const due = fewest(run.steps.map((s) => s.perSecondDue), 1);
    const achieved = fewest(run.rates.map((r) => r.achieved).filter((r) => r > 0), due);
    return Math.max(Math.min(due, achieved), due / LOWEST_RATE_SHOWN);
  }

  const level = (from, to, y) => [{ x: from, y }, { x: to, y }];

  /** @param signed lines with a label, a colour and their run */
  const rates = (signed, runs) => ({
    heading: "Rate due and rate achieved",
    about: "On a logarithmic scale. Where the lines of both lie on each other, the service keeps up.",
    facts: [
      ["highest rate due per second", number(highestDue(runs[0]))],
      ...signed.map(({ label, run }) => [`highest ${label}`, number(highestAchieved(run))]),
    ],
    lines: [
      { label: "requests due per second", colour: "grey", dash: [6, 4], points: runs[0].steps.flatMap((s) => level(s.startSeconds, s.startSeconds + s.durationSeconds, s.perSecondDue)) },
      ...signed.map(({ run, ...line }) => ({ ...line, points: run.rates.flatMap((r) => level(r.from, r.to, r.achieved)) })),
    ],
    ...overTime(runs),
    up: plot.logarithmic(Math.min(...runs.map(lowestRate)), most(runs.flatMap((run) => [highestAchieved(run), highestDue(run)]))),
    labels: "requests per second",
  });

  const perStep = (run, name) => run.steps.map((s) => s.figures.fromDue?.[name] ?? null);
  const known = (runs, name) => runs.flatMap((run) => perStep(run, name)).filter((v) => v !== null);

  /** @param lines with a label, a colour, their run and the name of a latency */
  function latencies(lines, longest, runs) {
    const steps = overSteps(longest);
    const limit = (label, colour, value) => plot.limit(label, colour, value, steps.steps.map(() => null));
    return {
      heading: "Latency in each step",
      about: "From when requests were due, on a logarithmic scale. The limits are 300 ms in normal hours and 3,000 ms at the peak.",
      facts: lines.map(({ label, run, of }) => [`highest ${label}`, format.millis(most(known([run], of)))]),
      lines: [
        ...lines.map(({ run, of, ...line }) => ({ ...line, dots: true, points: perStep(run, of) })),
        limit("300 ms, normal hours", "good", NORMAL_LIMIT_MILLIS),
        limit("3,000 ms, peak", "red", PEAK_LIMIT_MILLIS),
      ],
      ...steps,
      up: plot.logarithmic(fewest(known(runs, "p50"), 1), most(lines.flatMap(({ of }) => known(runs, of)), PEAK_LIMIT_MILLIS)),
      labels: "milliseconds",
    };
  }

  const longestQueue = (run) => most(run.pool.map((p) => p.queueLength));
  const queueLimit = (run) => run.service?.queue?.limit ?? 0;

  function queue(run, runs) {
    const longest = most(runs.map(longestQueue), SHORTEST_QUEUE_AXIS);
    const limit = queueLimit(run);
    // An empty queue under a far limit is a line on the floor: the limit shows only if it is near.
    const near = limit > 0 && longest * 4 >= limit;
    const time = overTime(runs);
    return {
      heading: "Sign queue",
      about: "Requests that wait, as the service told.",
      facts: [["longest", count(longestQueue(run))], ["limit", count(limit)]],
      lines: [
        { label: "waiting", colour: "blue", area: true, points: run.pool.map((p) => ({ x: p.seconds, y: p.queueLength })) },
        ...(near ? [plot.limit(`limit ${count(limit)}`, "red", limit, [0, time.across.max])] : []),
      ],
      ...time,
      up: plot.linear(near ? 1.05 * most(runs.map(queueLimit), longest) : longest),
      labels: "requests that wait",
    };
  }

  const depth = (p) => p.stored + p.loaded;
  const stock = (run, of) => run.pool.map((p) => ({ x: p.seconds, y: of(p) }));

  const pool = (run, runs) => ({
    heading: "Key pool",
    about: "Keys that are left, as the service told.",
    facts: [["fewest stored and loaded", count(fewest(run.pool.map(depth)))]],
    lines: [
      { label: "stored and loaded", colour: "green", area: true, points: stock(run, depth) },
      { label: "loaded into the HSM", colour: "blue", area: true, points: stock(run, (p) => p.loaded) },
    ],
    ...overTime(runs),
    up: plot.linear(most(runs.flatMap((each) => each.pool.map(depth)))),
    labels: "keys",
  });

  const ENDS = [
    ["signed", "signed", (f) => f.signed],
    ["refused (503)", "refused", (f) => f.refused],
    ["failed or no connection", "failed", (f) => f.failed + f.connectionErrors],
    ["timed out or abandoned", "timeout", (f) => f.timeouts + f.abandoned],
    ["not sent", "unsent", (f) => f.unsent],
  ];

  /** @param bars with a label, a colour, their run and the number that they show of a step's figures */
  const parts = (heading, bars, longest) => ({
    heading,
    about: "Parts of the requests that were due in each step.",
    facts: bars.map(({ label, run, of }) => [label, `${count(of(run.totals))} of ${count(run.totals.due)}`]),
    bars: true,
    low: true,
    lines: bars.map(({ run, of, ...bar }) => ({ ...bar, points: run.steps.map(({ figures: f }) => (f.due === 0 ? 0 : (100 * of(f)) / f.due)) })),
    ...overSteps(longest),
    up: { ...plot.linear(100), max: 100 },
    labels: "% of those due",
  });

  const LATENCIES = [
    { label: "median", colour: "blue", of: "p50" },
    { label: "p90", colour: "green", of: "p90" },
    { label: "p99", colour: "orange", of: "p99" },
    { label: "maximum", colour: "purple", dash: [2, 4], of: "max" },
  ];

  /** All plots of a run, with tables of them, on scales that hold another run as well. */
  function draw(host, run, like = run, headings = "h2") {
    const runs = [run, like];
    const figure = (where, spec) => plot.figure(where, { level: headings, ...spec });
    const folded = (name, columns, items) => page.folded(`${name} as a table`, page.grid(name, columns, page.thinned(items)));
    figure(host, rates([{ label: "signed answers per second", colour: "blue", area: true, run }], runs));
    host.append(folded("Rates", runTables.RATES, run.rates));
    figure(host, latencies(LATENCIES.map((line) => ({ ...line, run })), run, runs));
    if (run.pool.length === 0) {
      host.append(page.element("p", "notice", "The service told nothing of its queue and its pool."));
    } else {
      const pair = page.element("div", "pair");
      host.append(pair);
      figure(pair, queue(run, runs));
      figure(pair, pool(run, runs));
      host.append(folded("Queue and pool", runTables.POOL, run.pool));
    }
    figure(host, { stacked: true, ...parts("How requests ended", ENDS.map(([label, colour, of]) => ({ label, colour, run, of })), run) });
    const problems = Object.entries(run.totals.problems);
    if (problems.length) host.append(page.grid("Problems", runTables.PROBLEMS, problems));
  }

  /** One of two runs that stand side by side. */
  function column(host, name, run, other) {
    const made = page.element("section", "", page.element("h2", "", name));
    host.append(made);
    draw(made, run, other, "h3");
    made.append(
      page.folded("Each step", page.grid(`Each step of ${name}`, runTables.STEPS, run.steps)),
      page.folded("Environment", page.facts(`Environment of ${name}`, page.fields(runTables.ENVIRONMENT, run))),
    );
  }

  return { column, draw, latencies, parts, rates };
})();

// Rates above the base rate: the queue and the latency, predicted and actual.
"use strict";

{
  const { find, tell } = page;
  const { count, decimals, number } = format;
  const overload = page.data();
  const { baseRate: base, tests } = overload;

  function doubts() {
    const doubts = [];
    if (overload.simulatedProfile) doubts.push(runWords.simulated(overload.simulatedProfile));
    if (overload.interrupted) doubts.push("The overload was interrupted: tests are missing.");
    if (base.mayBeTooLow) doubts.push("While the base rate was measured, the service was not busy all the time: it may be higher.");
    if (tests.some((test) => test.signed < test.requests)) doubts.push("Requests were dropped, which the formulas know nothing of: see the tests.");
    return doubts;
  }

  function verdict() {
    if (tests.length === 0) return "No test was made.";
    if (tests.some((test) => test.latencyAccuracy === null)) return "The last request of a test was not signed: its latency is not known.";
    const lowest = Math.min(...tests.flatMap((test) => [test.queueAccuracy, test.latencyAccuracy]));
    return `With a base rate of ${decimals(2, base.perSecond)} requests per second, queue and latency came out as predicted to at least ${decimals(2, Math.floor(lowest * 100) / 100)} % in each test.`;
  }

  const accuracy = (percent) => (percent === null ? "–" : `${decimals(2, percent)} %`);

  const measured = (test) => [
    `test ${test.number}`,
    number(test.perSecond),
    decimals(3, test.seconds),
    decimals(1, test.predicted.queue),
    count(test.actualQueue),
    accuracy(test.queueAccuracy),
    count(test.polledQueue),
    decimals(3, test.predicted.latencySeconds),
    decimals(3, test.actualLatencySeconds),
    accuracy(test.latencyAccuracy),
    `${count(test.signed)} of ${count(test.requests)}`,
  ];

  const printed = (row) => [
    `thesis ${row.number}`,
    number(row.perSecond),
    decimals(3, row.seconds),
    decimals(1, row.calculatedQueue),
    number(row.actualQueue),
    "–",
    "–",
    decimals(3, row.calculatedLatencySeconds),
    decimals(3, row.actualLatencySeconds),
    accuracy(row.latencyAccuracy),
    "–",
  ];

  function backlog(test) {
    const queue = test.predicted.queue;
    const drained = test.seconds + queue / base.perSecond;
    const actual = test.backlog.map((point) => ({ x: point.seconds, y: point.requests }));
    const figure = page.element(
      "figure",
      "",
      page.element("h2", "", `Test ${test.number}: ${number(test.perSecond)} requests per second for ${number(test.seconds)} s`),
      page.element("p", "about", "Requests that are accepted and not finished. The calculated line climbs by CR − BR and falls by BR."),
    );
    find("plots").append(figure);
    plot.draw(figure, {
      lines: [
        { label: "calculated", colour: "grey", dash: [6, 4], points: [{ x: 0, y: 0 }, { x: test.seconds, y: queue }, { x: drained, y: 0 }] },
        { label: "actual", colour: "blue", area: true, points: actual },
      ],
      across: { label: "seconds from the start", min: 0, max: Math.max(drained, actual.at(-1).x) },
      up: plot.linear(Math.max(queue, ...actual.map((point) => point.y))),
      labels: "requests",
      title: "second ",
      told: `Requests that are accepted and not finished, over time. Calculated at most ${decimals(1, queue)}, actually ${count(test.actualQueue)} when the last request was sent.`,
    });
  }

  const method = [
    ["Warm-up", runWords.warmUp(overload.warmUpRequests)],
    ["Base rate BR", `${decimals(3, base.perSecond)} requests per second: ${count(base.callers)} callers who each wait for an answer before they ask again sent ${count(base.requests)} requests; ${count(base.answers)} answers, without those at both ends, came in ${decimals(3, base.seconds)} s. The service worked on ${decimals(2, base.busy)} requests at a time. A queue grows exactly when requests come faster than a service answers that always has a next one.`],
    ["Signing time Si", `${decimals(3, base.signingMillis)} ms = 1 / BR; the key’s preparation KP is 0, since the keys are loaded before the tests`],
    ["Q calculated", "(CR − BR) · T"],
    ["L calculated", "(KP + Si) · Q, with the calculated Q"],
    ["Accuracy", "100 · (1 − |calculated − actual| / calculated)"],
  ];

  const environment = [
    ...runWords.machine(overload.environment, overload.simulatedProfile),
    ["Service before the tests", runWords.service(overload.service)],
    ["Its settings", runWords.settings(overload.serviceSettings)],
    ["Requests", `${overload.keySpec}; test ids begin with ${overload.testId}`],
    ["Each test", "in the folders test-1, test-2 … beside this page, with its samples"],
  ];

  tell("started", overload.startedAt);
  if (!overload.allSignaturesRight) {
    page.notices("notices", ["Signatures were wrong, or a key signed more than once: see the tests’ own reports."], true);
  }
  page.notices("notices", doubts());
  tell("verdict", verdict());
  page.requirements("requirements", overload.requirements);
  find("tests").append(
    page.table(
      "Calculated and actual",
      ["test", "CR /s", "T s", "Q calculated", "Q actual", "accuracy", "Q told by the service", "L calculated s", "L actual s", "accuracy", "signed"],
      [...tests.map(measured), ...overload.thesis.map(printed)],
    ),
  );
  tests.forEach(backlog);
  find("method").append(page.facts("How it was done", method));
  find("environment").append(page.facts("Environment", environment));
}

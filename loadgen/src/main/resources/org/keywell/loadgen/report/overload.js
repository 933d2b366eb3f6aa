// Rates above the base rate: the queue and the latency, predicted and actual.
"use strict";

{
  const { find, tell } = page;
  const { count, decimals, number } = format;
  const overload = page.data();
  const { baseRate: base, tests } = overload;
  const accuracy = (percent) => (percent === null ? "–" : `${decimals(2, percent)} %`);
  const numbers = (some) => some.map((test) => test.number).join(", ");

  const WARNINGS = [
    ["Wrong signatures, or keys that signed more than once", (o) => !o.allSignaturesRight && "see the tests’ own reports", true],
    runTables.SIMULATED,
    ["Interrupted; tests made", (o) => (o.interrupted || tests.length === 0) && count(tests.length)],
    ["Base rate possibly too low, service not always busy; requests worked on at a time", () => base.mayBeTooLow && decimals(2, base.busy)],
    ["Requests dropped, which the formulas do not know; in tests", () => numbers(tests.filter((test) => test.signed < test.requests))],
    ["Latency unknown, last request not signed; in tests", () => numbers(tests.filter((test) => test.latencyAccuracy === null))],
  ];

  const COLUMNS = [
    ["test", (t) => t.name],
    ["CR /s", (t) => number(t.perSecond)],
    ["T s", (t) => decimals(3, t.seconds)],
    ["Q calculated", (t) => decimals(1, t.predicted.queue)],
    ["Q actual", (t) => count(t.actualQueue)],
    ["accuracy", (t) => accuracy(t.queueAccuracy)],
    ["Q told by the service", (t) => count(t.polledQueue)],
    ["L calculated s", (t) => decimals(3, t.predicted.latencySeconds)],
    ["L actual s", (t) => decimals(3, t.actualLatencySeconds)],
    ["accuracy", (t) => accuracy(t.latencyAccuracy)],
    ["signed", (t) => (t.requests ? `${count(t.signed)} of ${count(t.requests)}` : "–")],
  ];

  /** A row of the thesis in the form of a test, without what it does not print. */
  const printed = ({ calculatedQueue, calculatedLatencySeconds, ...row }) => ({
    ...row,
    name: `thesis ${row.number}`,
    predicted: { queue: calculatedQueue, latencySeconds: calculatedLatencySeconds },
    queueAccuracy: null,
  });

  const METHOD = [
    ["Warm-up requests, in no figure", () => count(overload.warmUpRequests)],
    ["Base rate BR", () => `${decimals(3, base.perSecond)} /s`],
    ["BR, callers that always wait for an answer", () => count(base.callers)],
    ["BR, requests sent", () => count(base.requests)],
    ["BR, answers counted, without both ends", () => count(base.answers)],
    ["BR, seconds of these", () => decimals(3, base.seconds)],
    ["BR, requests worked on at a time", () => decimals(2, base.busy)],
    ["Signing time Si = 1 / BR", () => `${decimals(3, base.signingMillis)} ms`],
    ["Key preparation KP, keys being loaded before", () => "0 ms"],
    ["Q calculated", () => "(CR − BR) · T"],
    ["L calculated", () => "(KP + Si) · Q, with the calculated Q"],
    ["Accuracy", () => "100 · (1 − |calculated − actual| / calculated)"],
  ];

  function backlog(test) {
    const { queue } = test.predicted;
    const drained = test.seconds + queue / base.perSecond;
    const actual = test.backlog.map((point) => ({ x: point.seconds, y: point.requests }));
    plot.figure(find("plots"), {
      heading: `Test ${test.number}: ${number(test.perSecond)} requests per second for ${number(test.seconds)} s`,
      about: "Requests that are accepted and not finished. The calculated line climbs by CR − BR and falls by BR.",
      facts: [["Q calculated", decimals(1, queue)], ["Q actual", count(test.actualQueue)]],
      lines: [
        { label: "calculated", colour: "grey", dash: [6, 4], points: [{ x: 0, y: 0 }, { x: test.seconds, y: queue }, { x: drained, y: 0 }] },
        { label: "actual", colour: "blue", area: true, points: actual },
      ],
      across: { label: "seconds from the start", min: 0, max: Math.max(drained, actual.at(-1).x) },
      up: plot.linear(Math.max(queue, ...actual.map((point) => point.y))),
      labels: "requests",
      title: "second ",
    });
  }

  const known = tests.flatMap((test) => [test.queueAccuracy, test.latencyAccuracy]).filter((percent) => percent !== null);

  tell("started", overload.startedAt);
  page.warnings("notices", WARNINGS, { overload });
  page.tiles("tiles", [
    [`${decimals(2, base.perSecond)} /s`, "base rate BR"],
    [known.length ? `${decimals(2, Math.floor(Math.min(...known) * 100) / 100)} %` : "–", "lowest accuracy of a queue or a latency"],
  ]);
  page.requirements("requirements", overload.requirements);
  find("tests").append(page.grid("Calculated and actual", COLUMNS, [...tests.map((test) => ({ ...test, name: `test ${test.number}` })), ...overload.thesis.map(printed)]));
  tests.forEach(backlog);
  find("method").append(page.facts("How it was done", page.fields(METHOD, overload)));
  find("environment").append(page.facts("Environment", page.fields([...runTables.MACHINE, ["Keys", (o) => o.keySpec]], overload)));
}

// Rates above the base rate: the queue and the latency, predicted and actual.
"use strict";

{
  const { find, tell } = page;
  const { count, decimals, number } = format;
  const overload = page.data();
  const { baseRate: base, tests } = overload;
  const numbers = (some) => some.map((test) => test.number).join(", ");

  const WARNINGS = [
    ["Wrong signatures, or keys that signed more than once", (o) => !o.allSignaturesRight && "see the tests’ own reports", true],
    runTables.SIMULATED,
    ["Interrupted; tests made", (o) => (o.interrupted || tests.length === 0) && count(tests.length)],
    ["Base rate possibly too low, service not always busy; requests worked on at a time", () => base.mayBeTooLow && decimals(base.busy, 2)],
    ["Requests dropped, which the formulas do not know; in tests", () => numbers(tests.filter((test) => test.signed < test.requests))],
    ["Latency unknown, last request not signed; in tests", () => numbers(tests.filter((test) => test.latencyAccuracy === null))],
  ];

  const HEADS = "test|CR /s|T s|Q calculated|Q actual|accuracy|Q told by the service|L calculated s|L actual s|accuracy|signed";

  const ROW =
    "test {number}|{perSecond:number}|{seconds:decimals:3}|{predicted.queue:decimals:1}|{actualQueue:count}|{queueAccuracy:accuracy}" +
    "|{polledQueue:count}|{predicted.latencySeconds:decimals:3}|{actualLatencySeconds:decimals:3}|{latencyAccuracy:accuracy}|{signed:count} of {requests:count}";

  /** The thesis does not print the rest. */
  const PRINTED =
    "thesis {number}|{perSecond:number}|{seconds:decimals:3}|{calculatedQueue:decimals:1}|{actualQueue:count}|–" +
    "|–|{calculatedLatencySeconds:decimals:3}|{actualLatencySeconds:decimals:3}|{latencyAccuracy:accuracy}|–";

  const METHOD = [
    ["Warm-up requests, in no figure", "{warmUpRequests:count}"],
    ["Base rate BR", "{baseRate.perSecond:decimals:3} /s"],
    ["BR, callers that always wait for an answer", "{baseRate.callers:count}"],
    ["BR, requests sent", "{baseRate.requests:count}"],
    ["BR, answers counted, without both ends", "{baseRate.answers:count}"],
    ["BR, seconds of these", "{baseRate.seconds:decimals:3}"],
    ["BR, requests worked on at a time", "{baseRate.busy:decimals:2}"],
    ["Signing time Si = 1 / BR", "{baseRate.signingMillis:decimals:3} ms"],
    ["Key preparation KP, keys being loaded before", "0 ms"],
    ["Q calculated", "(CR − BR) · T"],
    ["L calculated", "(KP + Si) · Q, with the calculated Q"],
    ["Accuracy", "100 · (1 − |calculated − actual| / calculated)"],
  ];

  function backlog(test) {
    const { queue } = test.predicted;
    const drained = test.seconds + queue / base.perSecond;
    const actual = test.backlog.map((point) => ({ x: point.seconds, y: point.requests }));
    plot.figure(find("plots"), {
      heading: `Test ${test.number}: ${number(test.perSecond)} requests per second for ${number(test.seconds)} s`,
      about: "Requests that are accepted and not finished. The calculated line climbs by CR − BR and falls by BR.",
      facts: [["Q calculated", decimals(queue, 1)], ["Q actual", count(test.actualQueue)]],
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
    [`${decimals(base.perSecond, 2)} /s`, "base rate BR"],
    [known.length ? `${decimals(Math.floor(Math.min(...known) * 100) / 100, 2)} %` : "–", "lowest accuracy of a queue or a latency"],
  ]);
  page.requirements("requirements", overload.requirements);
  const rows = [...tests.map((test) => page.cells(ROW, test)), ...overload.thesis.map((row) => page.cells(PRINTED, row))];
  find("tests").append(page.table("Calculated and actual", HEADS.split("|"), rows));
  tests.forEach(backlog);
  find("method").append(page.facts("How it was done", page.fields(METHOD, overload)));
  find("environment").append(page.facts("Environment", page.fields([...runTables.MACHINE, ["Keys", "{keySpec}"]], overload)));
}

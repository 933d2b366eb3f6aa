// What HSMs and a key pool can carry.
"use strict";

{
  const { find } = page;
  const { count, days, hours, hsms, megabytes, millis, number, percent, time } = quantity;
  const { plan, settings, thesisCase } = page.data();
  const { pool, demand, hsmCounts, week } = plan;
  const fleet = hsms(plan.input.hsms ?? 1);
  const lasts = ({ sustainable }) => (sustainable ? "for ever" : "one week");

  /** Hours of the week as days, of which each has its name at its begin. */
  const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  const OVER_THE_WEEK = {
    across: {
      label: "day of the week",
      min: 0,
      max: 168,
      ticks: { stepSize: 24, align: "start", callback: (hour) => DAYS[hour / 24] ?? "" },
    },
    title: "hour of the week: ",
  };
  const steps = (perHour) => perHour.flatMap((y, x) => [{ x, y }, { x: x + 1, y }]);

  const PLOTS = [
    {
      heading: "Key pool over the week",
      about: "Keys that are stored.",
      facts: [["at the start", count(week.depthKeys[0])], ["fewest", count(Math.min(...week.depthKeys))], ["lasts", lasts(pool)]],
      lines: [{ label: "stored keys", colour: "green", area: true, points: week.depthKeys.map((y, x) => ({ x, y })) }],
      ...OVER_THE_WEEK,
      up: plot.linear(Math.max(1, ...week.depthKeys)),
      labels: "keys",
    },
    {
      heading: "Keys used and made",
      about: "Keys are made in the time that signing leaves.",
      facts: [["used on average", `${number(demand.meanPerSecond)}/s`], ["used in the week", count(demand.weekKeys)], ["made in the week", count(pool.madePerWeek)]],
      lines: [
        { label: "used, by signing", colour: "blue", area: true, points: steps(week.usedPerSecond) },
        { label: "made", colour: "green", area: true, points: steps(week.madePerSecond) },
      ],
      ...OVER_THE_WEEK,
      up: plot.linear(Math.max(demand.highestPerSecond, ...week.madePerSecond)),
      labels: "keys per second",
    },
  ];

  const HOURS = [
    ["hours", ({ kind, how }) => `${kind.kind}, ${how}`],
    ["a week", ({ kind }) => count(kind.hoursPerWeek)],
    ["T", ({ kind }) => `${kind.stretchHours} h`],
    ["rate", ({ kind }) => `${number(kind.ratePerSecond)}/s`],
    ["load", ({ queue }) => percent(queue.utilisation)],
    ["Q at the end", ({ queue }) => count(queue.queueLength)],
    ["L at the end", ({ queue }) => time(queue.latencySeconds)],
    ["queue full after", ({ queue }) => (queue.secondsUntilQueueFull === null ? "–" : time(queue.secondsUntilQueueFull))],
    ["refused then", ({ queue }) => percent(queue.refusedShare)],
    ["longest answer", ({ queue }) => millis(queue.longestResponseMillis)],
    ["limit", ({ kind }) => millis(kind.responseLimitMillis)],
    ["limit holds", ({ queue }) => (queue.responseLimitHolds ? "yes" : "NO")],
  ];

  const COUNTS = [
    ["Without the pool, for the peak", (n) => count(n.withoutPoolForPeak)],
    ["Without the pool, for the mean rate", (n) => count(n.withoutPoolForMean)],
    ["With the pool, for signing", (n) => count(n.forSigning)],
    ["With the pool, for loading keys", (n) => count(n.forLoading)],
    ["With the pool, for generating", (n) => count(n.forGenerating)],
  ];

  const CHOICES = [
    ["HSMs", (choice) => count(choice.hsms)],
    ["keys in the pool", (choice) => count(choice.keysNeeded)],
    ["storage", (choice) => megabytes(choice.storageMegabytes)],
    ["filled in", (choice) => days(choice.fillDays)],
    ["unwrap lanes for each", (choice) => count(choice.unwrapLanesNeeded)],
    ["lasts", lasts],
  ];

  page.tiles("tiles", [
    [`${number(demand.highestPerSecond)}/s`, "at the peak"],
    [count(hsmCounts.withoutPoolForPeak), "HSMs for it without the pool"],
    [count(hsmCounts.oneWeekFilledAhead.hsms), "HSMs with the pool, the week’s keys made ahead"],
    [count(hsmCounts.forEver.hsms), "HSMs with the pool, keys made as they are used"],
    [`${number(plan.baseRates.withoutPoolPerSecond)}/s`, `${fleet}, a key per request`],
    [`${number(plan.baseRates.withPoolPerSecond)}/s`, `${fleet}, keys ready`],
    [count(pool.keysNeeded), `keys in the pool, ${lasts(pool)}`],
    [megabytes(pool.storageMegabytes), "to store them"],
    [hours(pool.idleHoursToFill), "to make them, while idle"],
  ]);
  find("conclusions").append(page.list(plan.conclusions));
  PLOTS.forEach((spec) => plot.figure(find("week"), spec));
  find("hours").append(page.grid("Queue and latency", HOURS, plan.hours.flatMap((kind) => [
    { kind, how: "key per request", queue: kind.withoutPool },
    { kind, how: "keys ready", queue: kind.withPool },
  ])));
  find("counts").append(
    page.facts("How many HSMs", page.fields(COUNTS, hsmCounts)),
    page.grid("More HSMs, fewer keys", CHOICES, hsmCounts.choices),
  );
  if (thesisCase.length) {
    find("thesis").append(page.list(thesisCase));
    find("thesis").hidden = false;
  }
  find("input").append(
    page.facts("Input", settings.map((s) => [s.name, `${s.value}, ${s.given ? "given" : "default"}: ${s.meaning}`])),
  );
}

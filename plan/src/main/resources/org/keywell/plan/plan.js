// What HSMs and a key pool can carry.
"use strict";

{
  const { find, tell } = page;
  const { count, days, hours, hsms, megabytes, millis, number, percent, time } = quantity;
  const { plan, settings, thesisCase } = page.data();
  const { pool, demand, hsmCounts, week } = plan;

  /** Hours of the week as days, of which each has its name at its begin. */
  const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  const across = {
    label: "day of the week",
    min: 0,
    max: 168,
    ticks: { stepSize: 24, align: "start", callback: (hour) => DAYS[hour / 24] ?? "" },
  };

  function depth() {
    plot.draw(find("depth"), {
      lines: [{ label: "stored keys", colour: "green", area: true, points: week.depthKeys.map((y, x) => ({ x, y })) }],
      across,
      up: plot.linear(Math.max(1, ...week.depthKeys)),
      labels: "keys",
      title: "hour of the week: ",
      told: `Stored keys over the week. It begins with ${count(week.depthKeys[0])} keys; the fewest are ${count(Math.min(...week.depthKeys))}.`,
    });
  }

  function rates() {
    const steps = (perHour) => perHour.flatMap((y, x) => [{ x, y }, { x: x + 1, y }]);
    plot.draw(find("rates"), {
      lines: [
        { label: "used, by signing", colour: "blue", area: true, points: steps(week.usedPerSecond) },
        { label: "made", colour: "green", area: true, points: steps(week.madePerSecond) },
      ],
      across,
      up: plot.linear(Math.max(demand.highestPerSecond, ...week.madePerSecond)),
      labels: "keys per second",
      title: "hour of the week: ",
      told: `Keys used and keys made per second over the week. Used: ${number(demand.meanPerSecond)}/s on average; made: ${count(pool.madePerWeek)} a week.`,
    });
  }

  const row = (kind, how, queue) => [
    `${kind.kind}, ${how}`,
    count(kind.hoursPerWeek),
    `${kind.stretchHours} h`,
    `${number(kind.ratePerSecond)}/s`,
    percent(queue.utilisation),
    count(queue.queueLength),
    time(queue.latencySeconds),
    queue.secondsUntilQueueFull === null ? "–" : time(queue.secondsUntilQueueFull),
    percent(queue.refusedShare),
    millis(queue.longestResponseMillis),
    millis(kind.responseLimitMillis),
    queue.responseLimitHolds ? "yes" : "NO",
  ];

  const queues = page.table(
    "Queue and latency",
    ["hours", "a week", "T", "rate", "load", "Q at the end", "L at the end", "queue full after", "refused then", "longest answer", "limit", "limit holds"],
    plan.hours.flatMap((kind) => [row(kind, "key per request", kind.withoutPool), row(kind, "keys ready", kind.withPool)]),
  );

  const counts = page.facts("How many HSMs", [
    ["Without the pool, for the peak", count(hsmCounts.withoutPoolForPeak)],
    ["Without the pool, for the mean rate", count(hsmCounts.withoutPoolForMean)],
    ["With the pool, for signing", count(hsmCounts.forSigning)],
    ["With the pool, for loading keys", count(hsmCounts.forLoading)],
    ["With the pool, for generating", count(hsmCounts.forGenerating)],
  ]);

  const choices = page.table(
    "More HSMs, fewer keys",
    ["HSMs", "keys in the pool", "storage", "filled in", "unwrap lanes for each", "lasts"],
    hsmCounts.choices.map((choice) => [
      count(choice.hsms),
      count(choice.keysNeeded),
      megabytes(choice.storageMegabytes),
      days(choice.fillDays),
      count(choice.unwrapLanesNeeded),
      choice.sustainable ? "for ever" : "one week",
    ]),
  );

  const given = settings.some((setting) => setting.given);
  const fleet = hsms(plan.input.hsms ?? 1);
  tell("settings", given ? "For the settings at the end of this page." : "All settings have their defaults: the thesis’s case.");
  tell("verdict", `The peak of ${number(demand.highestPerSecond)}/s takes ${hsms(hsmCounts.withoutPoolForPeak)} without the pool. With it, ${hsms(hsmCounts.oneWeekFilledAhead.hsms)} can sign and load as much; the week’s ${count(demand.weekKeys)} keys are made ahead, or by ${hsms(hsmCounts.forEver.hsms)} as they are used.`);
  page.tiles("tiles", [
    [`${number(plan.baseRates.withoutPoolPerSecond)}/s`, `${fleet}, a key per request`],
    [`${number(plan.baseRates.withPoolPerSecond)}/s`, `${fleet}, keys ready`],
    [count(pool.keysNeeded), pool.sustainable ? "keys in the pool, for ever" : "keys in the pool, for a week"],
    [megabytes(pool.storageMegabytes), "to store them"],
    [hours(pool.idleHoursToFill), "to make them, while idle"],
  ]);
  find("conclusions").append(page.list(plan.conclusions));
  tell("lasts", pool.sustainable ? "The week repeats itself." : "The pool was filled ahead, and the week uses it up.");
  depth();
  rates();
  find("hours").append(queues);
  find("counts").append(counts, page.element("p", "about", "With the pool, more HSMs need fewer keys made ahead:"), choices);
  if (thesisCase.length) {
    find("thesis").append(page.list(thesisCase));
    find("thesis").hidden = false;
  }
  find("input").append(
    page.facts("Input", settings.map((s) => [s.name, `${s.value}, ${s.given ? "given" : "default"}: ${s.meaning}`])),
  );
}

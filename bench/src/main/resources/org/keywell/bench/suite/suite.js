// The page on a run of the benchmark suite: what each part came to, beside what it is held against.
"use strict";

{
  const { element, find, tell } = page;
  const run = page.data();
  const FAR = 250;
  const COLOURS = ["blue", "orange", "green", "purple"];

  /** The stretch tells which way is better. */
  const upwards = ({ target, stretch }) => stretch >= target;
  const met = ({ goal, value }) => (upwards(goal) ? value >= goal.target : value <= goal.target);

  /** Of a part, what is held against something: ratios by their medians, and single figures. */
  const held = (part) => [
    ...part.ratios.map((ratio) => ({ part, label: ratio.label, value: ratio.median, ratio, unit: "", goal: ratio.goal })),
    ...part.readings.map((reading) => ({ part, label: reading.label, value: reading.value, unit: reading.unit, goal: reading.goal })),
  ].filter(({ goal }) => goal.target !== null);

  const goals = run.parts.flatMap(held);

  const withUnit = (value, unit) => (unit ? `${format.number(value)} ${unit}` : format.number(value));
  const spread = ({ ratio }) => (ratio ? `${format.number(ratio.least)} to ${format.number(ratio.most)}` : "");

  function goalsTable() {
    const heads = ["figure", "measured", "rounds", "target", "stretch", ""];
    return page.table("Goals", heads, goals.map((one) => [
      `${one.part.part}  ${one.label}`,
      withUnit(one.value, one.unit),
      spread(one),
      withUnit(one.goal.target, one.unit),
      withUnit(one.goal.stretch, one.unit),
      met(one) ? "met" : "missed",
    ]));
  }

  /** How far each figure got, in percent of its target; what is far beyond it shows no more than that. */
  function goalsPlot(host) {
    const reached = ({ goal }, value) => Math.min(FAR, 100 * (upwards(goal) ? value / goal.target : goal.target / value));
    const lines = [
      { label: "measured", colour: "blue", points: goals.map((one) => reached(one, one.value)) },
      { label: "stretch", colour: "grey", points: goals.map((one) => reached(one, one.goal.stretch)) },
    ];
    plot.draw(host, {
      lines,
      bars: true,
      sideways: true,
      steps: goals.map((one) => `${one.part.part}  ${one.label}`),
      across: { label: "" },
      up: plot.linear(100),
      labels: "percent of the target",
      told: "Each figure in percent of its target, beside its stretch.",
    });
  }

  function parted(host, table) {
    const told = `${table.what}, ${table.unit}`;
    const steps = series.single(table);
    if (steps.length > 2) {
      plot.draw(host, {
        lines: table.names.map((name, i) => ({
          label: name === table.what ? told : `${table.what}, ${name}`,
          colour: COLOURS[i % COLOURS.length],
          points: steps.map((step) => series.value(table, name, step)),
        })),
        bars: true,
        sideways: true,
        steps,
        across: { label: "" },
        up: plot.linear(0),
        labels: table.unit,
        told: `${told}: ${steps.join(", ")}.`,
      });
    }
    host.append(page.table(told, [told, ...table.names.map((name) => (name === table.what ? "" : name))], table.steps.map((step) => [
      step,
      ...table.names.map((name) => format.number(series.value(table, name, step))),
    ])));
  }

  function ratios(host, part) {
    if (part.ratios.length === 0) return;
    const heads = ["ratio", "median", "least", "most", "round by round"];
    host.append(page.table("Ratios", heads, part.ratios.map((ratio) => [
      ratio.label,
      ...[ratio.median, ratio.least, ratio.most].map(format.number),
      ratio.rounds.map(format.number).join(", "),
    ])));
  }

  function section(part) {
    const host = element("section", "", element("h2", "", `${part.part}. ${part.title}`));
    find("parts").append(host);
    if (part.failure) {
      host.append(element("p", "notice wrong", `It was not measured: ${part.failure}`));
      return;
    }
    ratios(host, part);
    const { alone, tables } = series.apart(part.readings);
    tables.forEach((table) => parted(host, table));
    if (alone.length > 0) {
      host.append(page.table("Figures", ["figure", "measured"], alone.map((one) => [one.label, withUnit(one.value, one.unit)])));
    }
    host.append(element("p", "about", `It took ${format.number(part.seconds)} s.`));
  }

  function notices() {
    if (run.busy) {
      page.notices("notices", [
        `The machine had other work: its load average was ${format.number(run.loadAverage)} when the run began. These figures are not to be published.`,
      ]);
    }
    if (run.interrupted) page.notices("notices", ["The run was interrupted: parts are missing."]);
    const failed = run.parts.filter((part) => part.failure).map((part) => part.part);
    if (failed.length > 0) page.notices("notices", [`Not measured: ${failed.join(", ")}.`], true);
  }

  tell("run", `${run.parts.length} parts in ${run.rounds} rounds; started ${run.startedAt}, lasted ${format.number(run.durationSeconds)} s`);
  notices();
  if (goals.length > 0) {
    tell("verdict", `${goals.filter(met).length} of ${goals.length} targets are met.`);
    find("goals").append(element("h2", "", "How near it comes"));
    goalsPlot(find("goals"));
    find("goals").append(goalsTable());
    find("goals").hidden = false;
  }
  run.parts.forEach(section);
  const here = run.environment;
  const { machine } = run;
  find("environment").append(page.facts("Environment", [
    ["Processor", `${here.cpu}, ${here.cores} cores`],
    ["Memory", machine.memory],
    ["System", `${machine.system}; ${here.os}`],
    ["HSM", machine.hsm],
    ["OpenSSL", machine.openssl],
    ["Database", machine.database],
    ["Java", here.jdk],
    ["Load average before", format.number(run.loadAverage)],
    ["Git revision", here.gitRevision ? here.gitRevision + (here.gitDirty ? ", with changes" : "") : "unknown"],
  ]));
}

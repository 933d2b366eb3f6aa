// The page on one run: each table of the thesis with what was measured beside it.
"use strict";

{
  const { element, find, tell } = page;
  const { NATIVE, SIMULATED, LANES } = figures;
  const run = page.data();
  const COLOURS = { [NATIVE]: "blue", [SIMULATED]: "orange", [LANES]: "green" };

  /** Kinds of rows that differ only in how often they were measured; other kinds have no typical time. */
  const ALIKE = { PLAIN: "all rows", REMOTE: "all rows, Stockholm", NEAR: "all rows, Malmö" };

  /** Three significant digits, or all before the point. */
  function number(millis) {
    const size = Math.abs(millis);
    return format.decimals(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4, millis);
  }

  /** As the thesis prints it. */
  function printedText(row, quantity) {
    const printed = figures.printed(row, quantity);
    if (!printed) return "–";
    const plain = (millis) => String(Number(millis.toFixed(4)));
    return printed.fromMillis === printed.toMillis
      ? plain(printed.fromMillis)
      : `${plain(printed.fromMillis)}–${plain(printed.toMillis)}`;
  }

  function cells(figure) {
    if (!figure) return ["", "–", "", "", ""];
    const { spread } = figure;
    return [format.count(figure.count), number(figure.meanMillis), ...["min", "p50", "max"].map((name) => (spread ? number(spread[name]) : ""))];
  }

  /** A line for each quantity of each row: the thesis first, then each column. */
  function table({ table: id, rows }) {
    const columns = figures.columns(rows);
    const heads = ["row", "ms a key or request", "thesis", ...columns.flatMap((column) => ["n", column, "min", "p50", "max"])];
    const lines = rows.flatMap((row) =>
      figures.QUANTITIES
        .filter((quantity) => figures.printed(row, quantity) || columns.some((column) => figures.of(row, column, quantity)))
        .map((quantity, i) => [
          i ? "" : row.thesis.name,
          quantity,
          printedText(row, quantity),
          ...columns.flatMap((column) => cells(figures.of(row, column, quantity))),
        ]));
    return page.table(`Table ${id}`, heads, [...lines, ...(id === "2-10" ? [] : totals(rows, columns))]);
  }

  /** A line for each quantity of rows that are alike: the thesis's range, and each column's median. */
  const totals = (rows, columns) =>
    Object.entries(ALIKE).flatMap(([kind, name]) => {
      const alike = figures.ofKind(rows, kind);
      return figures.QUANTITIES
        .filter((quantity) => columns.some((column) => figures.count(alike, column, quantity)))
        .map((quantity, i) => [
          i ? "" : name,
          quantity,
          [...new Set(figures.range(alike, quantity).map(number))].join("–") || "–",
          ...columns.flatMap((column) => {
            const n = figures.count(alike, column, quantity);
            return n ? [format.count(n), "", "", number(figures.typical(alike, column, quantity)), ""] : cells();
          }),
        ]);
    });

  /** Which profiles the simulated columns stand for. */
  const devices = ({ rows }) =>
    figures.columns(rows)
      .filter((column) => column !== NATIVE)
      .map((column) => {
        const names = rows.map((row) => figures.measurement(row, column)?.device).filter(Boolean);
        return `${column}: ${[...new Set(names)].join(", ")}`;
      })
      .join("; ");

  const known = (lines) => lines.flatMap((line) => line.points).filter((value) => value > 0);
  const axis = (lines) => plot.logarithmic(Math.min(...known(lines)), Math.max(...known(lines)));
  const orGap = (value) => value ?? null;

  /** Table 2-6: the time a key against the size of its block. */
  function transfer(host, rows) {
    const load = figures.ofKind(rows, "LOAD");
    const write = figures.ofKind(rows, "WRITE");
    const here = (some, quantity) => some.map((row) => orGap(figures.of(row, NATIVE, quantity)?.meanMillis));
    const inThesis = (some) => some.map((row) => orGap(figures.fromTotal(row)));
    const lines = [
      { label: "loaded, here", colour: "blue", dots: true, points: here(load, "load from the database") },
      { label: "loaded, in the thesis", colour: "grey", dash: [6, 4], dots: true, points: inThesis(load) },
      { label: "written, here", colour: "orange", dots: true, points: here(write, "write to the database") },
      { label: "written, in the thesis", colour: "purple", dash: [2, 4], dots: true, points: inThesis(write) },
    ];
    host.append(element("p", "about", "On a logarithmic scale; blocks are the thesis’s, and n below says how large they were here."));
    plot.draw(host, {
      lines,
      steps: load.map((row) => format.count(row.thesis.count)),
      across: { label: "keys in a block" },
      up: axis(lines),
      labels: "ms a key",
      title: "block of ",
      told: "Time a key against the size of its block. Loaded and written, here and in the thesis.",
    });
  }

  /** Table 2-10: the time per request, and the slowest single one, against the number of threads. */
  function threads(host, rows) {
    const mean = (row, column) => orGap(figures.of(row, column, "all requests / their number")?.meanMillis);
    const slowest = (row, column) => orGap(figures.of(row, column, "a single request")?.spread?.max);
    const pair = (who, colour, per, most) => [
      { label: `${who}, time per request`, colour, dots: true, points: rows.map(per) },
      { label: `${who}, slowest single request`, colour, dots: true, dash: [4, 4], width: 1.4, points: rows.map(most) },
    ];
    const lines = [
      ...pair("thesis", "grey",
        (row) => orGap(figures.printedMillis(row, "all requests / their number")),
        (row) => orGap(figures.printed(row, "a single request")?.toMillis)),
      ...figures.columns(rows).flatMap((column) =>
        pair(column, COLOURS[column], (row) => mean(row, column), (row) => slowest(row, column))),
    ];
    host.append(element("p", "about", "On a logarithmic scale."));
    plot.draw(host, {
      lines,
      steps: rows.map((row) => String(row.thesis.threads)),
      across: { label: "threads that sign" },
      up: axis(lines),
      labels: "milliseconds",
      title: "threads: ",
      told: "Time per request, and the slowest single request, against the number of threads.",
    });
  }

  const PLOTS = { "2-6": transfer, "2-10": threads };

  function section(entry) {
    const made = element("section", "", element("h2", "", `Table ${entry.table}: ${entry.title}`));
    find("tables").append(made);
    made.append(document.querySelector(`template[data-table="${entry.table}"]`).content);
    PLOTS[entry.table]?.(made, entry.rows);
    made.append(table(entry));
    if (devices(entry)) made.append(element("p", "about", devices(entry)));
  }

  /** What became of the keys. */
  function keys({ made, destroyed, liveBefore, liveAfter, storedAfter }) {
    const left = Math.max(0, liveAfter - liveBefore);
    const clean = made === destroyed && left === 0 && storedAfter === 0;
    const told = `${format.count(made)} private keys came to be in the HSM and ${format.count(destroyed)} were destroyed; `;
    return [clean, told + (clean
      ? "none of them is left in the HSM or in the database."
      : `LEFT are ${format.count(left)} in the HSM by its own count, and ${format.count(storedAfter)} in the database.`)];
  }

  tell("run", `${run.counts}; started ${run.startedAt}, lasted ${format.number(run.durationSeconds)} s`);
  if (run.simulatedProfile) {
    page.notices("notices", [`In the columns that say so, times are simulated: the HSM is slowed to the profile ${run.simulatedProfile}.`]);
  }
  if (run.interrupted) {
    page.notices("notices", ["The run was interrupted: rows are missing, or are of fewer keys than planned."]);
  }
  if (run.failure) page.notices("notices", [`The run failed: ${run.failure}`], true);
  const [clean, told] = keys(run.keys);
  if (!clean) find("keys").className = "notice wrong";
  tell("keys", told);
  run.tables.forEach(section);
  const here = run.environment;
  find("environment").append(page.facts("Environment", [
    ["Times", run.simulatedProfile ? "real, and simulated where a column says so" : "real"],
    ...run.profiles.map((profile) => ["Profile", profile]),
    ["HSM", run.hsm],
    ["Database", run.database],
    ["Processor", `${here.cpu}, ${here.cores} cores`],
    ["Java", here.jdk],
    ["System", here.os],
    ["Load average before", format.number(here.loadAverage)],
    ["Git revision", here.gitRevision ? here.gitRevision + (here.gitDirty ? ", with changes" : "") : "unknown"],
  ]));
}

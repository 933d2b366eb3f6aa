// What the figures of each table say, in a sentence or two: computed from them, whatever they are.
"use strict";

const sentences = (() => {
  const { NATIVE, SIMULATED, LANES } = figures;

  /** A median of fewer is not worth a sentence. */
  const LEAST = 30;

  /** Below this, threads gave nothing that is worth a word. */
  const GAIN = 1.5;

  const WHERE = {
    [NATIVE]: "on this HSM",
    [SIMULATED]: "on the simulated device",
    [LANES]: "on the simulated device with more lanes",
  };

  const KNOWN = (value) => value !== undefined && value !== null && !Number.isNaN(value);

  /** Three digits that count, or all before the point. */
  function number(millis) {
    if (!KNOWN(millis)) return "–";
    const size = Math.abs(millis);
    return format.decimals(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4, millis);
  }

  const ms = (millis) => (KNOWN(millis) ? `${number(millis)} ms` : "–");
  const between = (from, to) => (from === to ? from : `${from} to ${to}`);
  const range = ([least, greatest]) => between(number(least), number(greatest));
  const percent = (share) => format.decimals(share >= 0.1 ? 0 : 1, share * 100);
  const times = (factor) =>
    `${format.decimals(factor >= 100 ? 0 : factor >= 10 ? 1 : 2, factor)} times`;
  const rate = (millis) => format.number(1e3 / millis);

  const join = (phrases) =>
    phrases.length < 2 ? phrases.join("") : `${phrases.slice(0, -1).join(", ")} and ${phrases.at(-1)}`;

  /** A phrase for each column in which the quantity was timed. */
  const each = (rows, quantity, phrase) =>
    figures.columns(rows)
      .map((column) => [column, figures.typical(rows, column, quantity)])
      .filter(([, typical]) => KNOWN(typical))
      .map(([column, typical]) => phrase(column, typical));

  const printed = (rows, quantity) => `${range(figures.range(rows, quantity))} ms in the thesis`;

  function generation(rows) {
    const quantity = "generate";
    const [least, greatest] = figures.range(rows, quantity);
    const takes = each(rows, quantity, (column, typical) => `${ms(typical)} ${WHERE[column]}`);
    const rates = each(rows, quantity, (_, typical) => rate(typical));
    return (
      `A key pair takes ${join([...takes, printed(rows, quantity)])}: ` +
      `${join([...rates, between(rate(greatest), rate(least))])} of them a second.`
    );
  }

  function wrapAndSave(rows) {
    const part = "wrap and save";
    const whole = "generate, wrap and save";
    const shares = rows
      .filter((row) => figures.printed(row, part))
      .map((row) => figures.printedMillis(row, part) / figures.printedMillis(row, whole));
    const parts = each(rows, part, (column, typical) =>
      `${percent(typical / figures.typical(rows, column, whole))} % ${WHERE[column]} (${ms(typical)})`);
    const inThesis = `${between(percent(Math.min(...shares)), percent(Math.max(...shares)))} % in the thesis`;
    return (
      `Of the time until a new key is stored, wrapping and saving is ${join([...parts, inThesis])}; ` +
      "the rest is generation."
    );
  }

  /** The smallest block beside the largest one. */
  function block(rows, kind, quantity, done) {
    const measured = figures.ofKind(rows, kind).filter((row) => figures.of(row, NATIVE, quantity));
    if (measured.length < 2) return [];
    const [small, large] = [measured[0], measured.at(-1)];
    const [fewer, more] = [small, large].map((row) => figures.of(row, NATIVE, quantity));
    const [ofFewer, ofMore] = [fewer, more].map(figures.typicalOf);
    const [printedFewer, printedMore] = [small, large].map(figures.fromTotal);
    return [
      `A key that is ${done} in a block of ${format.count(fewer.count)} costs ${ms(ofFewer)}, ` +
        `${times(ofFewer / ofMore)} what it costs in a block of ${format.count(more.count)} (${ms(ofMore)}); ` +
        `in the thesis ${ms(printedFewer)}, ${times(printedFewer / printedMore)} what it costs in the largest ` +
        `block (${ms(printedMore)}).`,
    ];
  }

  function transfer(rows) {
    const told = [
      ...block(rows, "LOAD", "load from the database", "loaded"),
      ...block(rows, "WRITE", "write to the database", "written"),
    ];
    return told.length ? told.join(" ") : "With one block measured, there is nothing to compare.";
  }

  /** How much sooner that is than a new key, if new ones were measured. */
  function beside(rows, others) {
    const made = others["2-4"];
    if (!made || tooFew("2-4", made)) return "";
    const factors = each(rows, "load and unwrap", (column, loaded) => [
      column, figures.typical(made, column, "generate") / loaded,
    ])
      .filter(([, factor]) => KNOWN(factor))
      .map(([column, factor]) => `${times(factor)} as long ${WHERE[column]}`);
    const least = figures.range(made, "generate")[0] / figures.range(rows, "load and unwrap")[1];
    return `; making a new one takes ${join([...factors, `${times(least)} as long or more in the thesis`])}`;
  }

  function loadAndUnwrap(rows, others) {
    const whole = "load and unwrap";
    const takes = each(rows, whole, (column, typical) =>
      `${ms(typical)} ${WHERE[column]} (${percent(figures.typical(rows, column, "unwrap") / typical)} % of it unwrapping)`);
    return `A stored key is ready to sign after ${join([...takes, printed(rows, whole)])}${beside(rows, others)}.`;
  }

  const SIGN = "sign, certify, destroy";

  function wholeSigning(rows) {
    const [remote, near] = [figures.ofKind(rows, "REMOTE"), figures.ofKind(rows, "NEAR")];
    const told = [];
    const here = figures.typical(rows, NATIVE, SIGN);
    if (KNOWN(here)) told.push(`${ms(here)} ${WHERE[NATIVE]}`);
    const [far, close] = [remote, near].map((some) => figures.typical(some, SIMULATED, SIGN));
    if (KNOWN(far) && KNOWN(close)) {
      told.push(`${ms(far)} from Stockholm and ${ms(close)} on the spot ${WHERE[SIMULATED]}, ${times(far / close)} as long`);
    }
    const [printedFar, printedClose] = [remote, near].map((some) => figures.range(some, SIGN));
    told.push(
      `${range(printedFar)} ms and ${range(printedClose)} ms in the thesis, ${times(printedFar[0] / printedClose[0])} as long`,
    );
    return `A whole signing takes ${told.join("; ")}.`;
  }

  function threads(rows) {
    const QUANTITY = "all requests / their number";
    const measured = rows.filter((row) => row.measurements.length);
    if (measured.length < 2) return "With one number of threads measured, there is nothing to compare.";
    const [first, last] = [measured[0], measured.at(-1)];
    const mean = (row, column) => figures.of(row, column, QUANTITY)?.meanMillis;
    const slowest = (row, column) => ms(figures.of(row, column, "a single request")?.spread?.max);
    const printedMean = (row) => figures.printedMillis(row, QUANTITY);
    const printedSlowest = (row) => ms(figures.printed(row, "a single request")?.toMillis);
    const gain = (column) => mean(first, column) / mean(last, column);
    const device = (column) => figures.measurement(first, column)?.device ?? "–";
    const told = figures.columns(rows).map((column) =>
      `from ${ms(mean(first, column))} to ${ms(mean(last, column))} ${WHERE[column]} ` +
        `(the slowest single request: from ${slowest(first, column)} to ${slowest(last, column)})`);
    told.push(
      `from ${ms(printedMean(first))} to ${ms(printedMean(last))} in the thesis ` +
        `(the slowest single request: from ${printedSlowest(first)} to ${printedSlowest(last)})`,
    );
    let text = `From ${first.thesis.name} to ${last.thesis.name}, the time per request goes ${told.join("; ")}.`;
    // One operation at a time cannot give what the thesis saw; several at a time can.
    const inThesis = printedMean(first) / printedMean(last);
    if (inThesis >= GAIN && gain(SIMULATED) < GAIN) {
      text +=
        ` Threads gave the thesis a factor of ${format.decimals(1, inThesis)}, and ${device(SIMULATED)} a factor of ` +
        `${format.decimals(2, gain(SIMULATED))}: the thesis’s device worked on several requests at the same time, ` +
        "or waits for the network overlapped.";
      if (KNOWN(gain(LANES))) text += ` On ${device(LANES)} the factor is ${format.decimals(1, gain(LANES))}.`;
    }
    return text;
  }

  function whileUnwrapping(rows, others) {
    const signing = others["2-8/2-9"];
    const alone = signing && !tooFew("2-8/2-9", signing) ? figures.ofKind(signing, "NEAR") : [];
    const told = each(rows, SIGN, (column, typical) => {
      const before = figures.typical(alone, column, SIGN);
      const change = Math.round(100 * (typical / before - 1));
      const instead = KNOWN(before) ? ` instead of ${ms(before)} (${change < 0 ? "" : "+"}${change} %)` : "";
      const unwrapped = format.count(figures.count(rows, column, "unwrap, meanwhile"));
      return `${ms(typical)} ${WHERE[column]}${instead}, beside ${unwrapped} unwrapped keys`;
    });
    const printedAlone = alone.length ? ` instead of ${range(figures.range(alone, SIGN))} ms` : "";
    told.push(printed(rows, SIGN) + printedAlone);
    return `While another thread unwraps keys, a signing takes ${told.join("; ")}.`;
  }

  /** The counts of all figures that a table's sentence is made of: of whole columns, or of each row. */
  const ofColumns = (quantity) => (rows) => figures.columns(rows).map((column) => figures.count(rows, column, quantity));
  const ofRows = (...quantities) => (rows) =>
    rows.flatMap((row) => row.measurements.flatMap((m) => m.figures))
      .filter((timed) => quantities.includes(timed.quantity))
      .map((timed) => timed.figure.count);

  const TABLES = {
    "2-4": [generation, ofColumns("generate")],
    "2-5": [wrapAndSave, ofColumns("wrap and save")],
    "2-6": [transfer, ofRows("load from the database", "write to the database")],
    "2-7": [loadAndUnwrap, ofColumns("load and unwrap")],
    "2-8/2-9": [
      wholeSigning,
      (rows) => ["REMOTE", "NEAR"].flatMap((kind) => ofColumns(SIGN)(figures.ofKind(rows, kind))),
    ],
    "2-10": [threads, ofRows("all requests / their number")],
    "2-11": [whileUnwrapping, ofColumns(SIGN)],
  };

  /** The least number of keys or requests that a figure of the sentence is of. */
  const fewest = (table, rows) => Math.min(...TABLES[table][1](rows).filter((count) => count > 0));
  const tooFew = (table, rows) => fewest(table, rows) < LEAST;

  /** A table's sentence; what it rests on is said instead if that is too little for one. */
  function on({ table, rows }, all) {
    if (tooFew(table, rows)) {
      return `Too few to compare (n = ${format.count(fewest(table, rows))}): it takes ${LEAST}.`;
    }
    return TABLES[table][0](rows, Object.fromEntries(all.map((other) => [other.table, other.rows])));
  }

  return { ms, number, on };
})();

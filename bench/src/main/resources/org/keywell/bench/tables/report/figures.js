// What was measured, and what the thesis prints, of a table's rows.
"use strict";

const figures = (() => {
  const NATIVE = "native";
  const SIMULATED = "simulated";
  const LANES = "simulated, lanes";
  const COLUMNS = [NATIVE, SIMULATED, LANES];

  /** In the order in which a table has them. */
  const QUANTITIES = [
    "generate",
    "wrap and save",
    "generate, wrap and save",
    "load from the database",
    "write to the database",
    "initialise the cipher",
    "unwrap",
    "load and unwrap",
    "sign, certify, destroy",
    "all requests / their number",
    "a single request",
    "unwrap, meanwhile",
  ];

  const measurement = (row, column) => row.measurements.find((m) => m.column === column);
  const of = (row, column, quantity) =>
    measurement(row, column)?.figures.find((timed) => timed.quantity === quantity)?.figure;
  const printed = (row, quantity) => row.thesis.printed.find((p) => p.quantity === quantity);

  /** The one time that the thesis prints, if it is one. */
  function printedMillis(row, quantity) {
    const found = printed(row, quantity);
    return found && found.fromMillis === found.toMillis ? found.fromMillis : undefined;
  }

  /** The printed total divided by the printed count. */
  const fromTotal = ({ thesis }) =>
    thesis.totalMillis === null || thesis.count === null ? undefined : thesis.totalMillis / thesis.count;

  /** Those in which anything was measured. */
  const columns = (rows) => COLUMNS.filter((column) => rows.some((row) => measurement(row, column)));

  const all = (rows, column, quantity) => rows.map((row) => of(row, column, quantity)).filter(Boolean);
  const count = (rows, column, quantity) => all(rows, column, quantity).reduce((sum, f) => sum + f.count, 0);

  /** The median; the mean of what was not timed one by one. */
  const typicalOf = (figure) => figure.spread?.p50 ?? figure.meanMillis;

  /** The median of the rows' own typical times, in which each row counts as often as it was timed. */
  function typical(rows, column, quantity) {
    const sorted = all(rows, column, quantity).sort((a, b) => typicalOf(a) - typicalOf(b));
    let left = Math.floor((count(rows, column, quantity) + 1) / 2);
    const middle = sorted.find((figure) => (left -= figure.count) <= 0);
    return middle && typicalOf(middle);
  }

  /** The least and the greatest time that the thesis prints. */
  function range(rows, quantity) {
    const times = rows.map((row) => printedMillis(row, quantity)).filter((time) => time !== undefined);
    return times.length ? [Math.min(...times), Math.max(...times)] : [];
  }

  const ofKind = (rows, kind) => rows.filter((row) => row.thesis.kind === kind);

  return {
    NATIVE, SIMULATED, LANES, QUANTITIES,
    columns, count, fromTotal, measurement, of, ofKind, printed, printedMillis, range, typical,
  };
})();

// Readings in the shape in which people compare them: of “what, series: step” each series is a column of a table.
"use strict";

const series = (() => {
  const PARTED = /^([^:,]+)(?:, ([^:]+))?: (.+)$/;
  const ALL = / in all$/;
  const key = (name, step) => `${name}: ${step}`;

  /** Those that stand alone, and the others as tables: one for each thing that was measured in steps. */
  function apart(readings) {
    const alone = [];
    const tables = new Map();
    for (const reading of readings) {
      const found = PARTED.exec(reading.label);
      if (!found) {
        alone.push(reading);
        continue;
      }
      const [, what, name = what, step] = found;
      const table = tables.get(what) ?? { what, unit: reading.unit, names: [], steps: [], values: new Map() };
      tables.set(what, table);
      if (!table.names.includes(name)) table.names.push(name);
      if (!table.steps.includes(step)) table.steps.push(step);
      table.values.set(key(name, step), reading.value);
    }
    return { alone, tables: [...tables.values()] };
  }

  const value = (table, name, step) => table.values.get(key(name, step)) ?? null;

  /** The steps whose values can stand beside each other. */
  const single = (table) => table.steps.filter((step) => !ALL.test(step));

  return { apart, single, value };
})();

// Two runs side by side.
"use strict";

{
  const { find } = page;
  const { a, b } = page.data();
  const [nameOfA, nameOfB] = [`A: ${a.name}`, `B: ${b.name}`];

  page.warnings("notices", runTables.WARNINGS, { [nameOfA]: a.run, [nameOfB]: b.run });
  find("totals").append(page.table("In total", ["figure", nameOfA, nameOfB], page.fields(runTables.TOTALS, a.run, b.run)));
  runPlots.column(find("columns"), nameOfA, a.run, b.run);
  runPlots.column(find("columns"), nameOfB, b.run, a.run);
}

// The page on one run.
"use strict";

{
  const { find, tell } = page;
  const { count, millis, number, percent } = format;
  const run = page.data();
  const { totals, verification } = run;
  const latency = totals.fromDue;

  tell("schedule", `${run.schedule}; started ${run.startedAt}, lasted ${number(run.durationSeconds)} s`);
  page.warnings("notices", runTables.WARNINGS, { run });
  page.tiles("tiles", [
    [count(totals.signed), `signed, of ${count(totals.due)} due`],
    [count(totals.dropped), "dropped", totals.dropped === 0],
    [millis(latency?.p50), "median latency"],
    [millis(latency?.p99), "p99 latency"],
    [percent(totals.share300), "of all within 300 ms"],
    [percent(totals.share3000), "of all within 3,000 ms"],
    [count(totals.preGenerated), "keys made ahead of time", totals.preGenerated === totals.signed],
    [count(verification.distinctKeys), "distinct public keys", verification.distinctKeys === verification.signed],
    [count(verification.invalid), `wrong, of ${count(verification.checked)} answers checked`, verification.invalid === 0],
  ]);
  page.requirements("requirements", run.requirements);
  runPlots.draw(find("plots"), run);
  find("steps").append(page.grid("Each step", runTables.STEPS, run.steps));
  find("stages").append(page.grid("Where the time went", runTables.STAGES, run.stages));
  find("environment").append(page.facts("Environment", page.fields(runTables.ENVIRONMENT, run)));
}

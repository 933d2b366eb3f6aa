// The page on one run.
"use strict";

{
  const { find, tell } = page;
  const { count, millis, number, percent } = format;
  const run = page.data();
  const { totals, verification } = run;
  const latency = totals.fromDue;

  tell("schedule", `${run.schedule}; started ${run.startedAt}, lasted ${number(run.durationSeconds)} s`);
  page.notices("notices", runWords.wrongs(run), true);
  page.notices("notices", runWords.doubts(run));
  tell("verdict", runWords.verdict(run));
  page.tiles("tiles", [
    [count(totals.signed), `signed, of ${count(totals.due)} due`],
    [count(totals.dropped), "dropped", totals.dropped === 0],
    [millis(latency?.p99), latency ? `p99; median ${millis(latency.p50)}` : "p99"],
    [percent(totals.share300), "of all within 300 ms"],
    [percent(totals.share3000), "of all within 3,000 ms"],
    [count(totals.preGenerated), "keys made ahead of time", totals.preGenerated === totals.signed],
    [count(verification.distinctKeys), "distinct public keys", verification.distinctKeys === verification.signed],
  ]);
  page.requirements("requirements", run.requirements);

  runPlots.rates(find("rates"), run);
  find("rates").append(page.folded("Figures as a table", runTables.rates(run)));
  runPlots.latencies(find("latencies"), run);
  if (run.pool.length === 0) {
    find("stock").replaceChildren(page.element("p", "notice", "The service told nothing of its queue and its pool."));
  } else {
    runPlots.queue(find("queue"), run);
    runPlots.pool(find("pool"), run);
    find("stock").append(page.folded("Queue and pool as a table", runTables.pool(run)));
  }
  runPlots.outcomes(find("outcomes"), run);
  find("outcomes").append(...runTables.problems(run));

  find("steps").append(runTables.steps(run), ...runTables.inferred(run).map((text) => page.element("p", "about", text)));
  find("stages").append(runTables.stages(run));
  find("environment").append(page.facts("Environment", runWords.environment(run)));
}

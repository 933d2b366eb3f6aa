// All plots of one run, on the same scales as those of another that stands beside it.
"use strict";

const runColumn = (() => {
  function draw(host, heading, notices, run, other) {
    const figure = (title, about, drawn) => {
      const made = page.element("figure", "", page.element("h3", "", title), page.element("p", "about", about));
      column.append(made);
      drawn(made, run, other);
    };
    const column = page.element("section", "", page.element("h2", "", heading), ...notices);
    host.append(column);
    figure("Rate", "per second", runPlots.rates);
    figure("Latency", "in each step", runPlots.latencies);
    figure("Sign queue", "over time", runPlots.queue);
    figure("Key pool", "over time", runPlots.pool);
    figure("How requests ended", "in each step", runPlots.outcomes);
    column.append(
      page.folded("Each step", runTables.steps(run)),
      page.folded("Environment", page.facts(`Environment of ${heading}`, runWords.environment(run))),
    );
  }

  return { draw };
})();

// Shows a report, whose document says what is a text, what a table and what a plot.
"use strict";

{
  const { element, find, tell } = page;
  const report = page.data();

  /** Values at 0, 1, 2 and so on; the stretches between them have the steps' names. */
  function course({ steps, lines }) {
    const end = Math.max(...lines.map(({ points, level }) => points.length - (level ? 0 : 1)));
    const stretch = end / steps.length;
    const points = (y, x, level) => (level ? [{ x, y }, { x: x + 1, y }] : [{ x, y }]);
    return {
      lines: lines.map((line) => ({ ...line, area: true, points: line.points.flatMap((y, x) => points(y, x, line.level)) })),
      across: { min: 0, max: end, ticks: { stepSize: stretch, align: "start", callback: (x) => steps[x / stretch] ?? "" } },
      up: plot.linear(Math.max(1, ...lines.flatMap((line) => line.points))),
    };
  }

  function overSteps({ steps, lines, form }) {
    const bars = form === "BARS";
    const known = lines.flatMap((line) => line.points).filter((value) => value > 0);
    return {
      lines: lines.map((line) => ({ ...line, dots: !bars })),
      steps,
      bars,
      sideways: bars,
      across: {},
      up: bars ? plot.linear(0) : plot.logarithmic(Math.min(...known), Math.max(...known)),
    };
  }

  function drawing(drawn, { across = "", title }) {
    const made = drawn.form === "COURSE" ? course(drawn) : overSteps(drawn);
    const lines = made.lines.map(({ dash, ...line }) => ({ ...line, dash: dash.length ? dash : undefined }));
    return { ...made, lines, across: { ...made.across, label: across }, labels: drawn.unit, title };
  }

  const PARTS = {
    texts: (host, { texts }) => host.append(page.list(texts)),
    figure: (host, { plot: drawn, ...about }, words) => plot.figure(host, { level: "h3", ...about, ...drawing(drawn, words) }),
    table: (host, { name, heads, lines, plot: drawn }, words) => {
      if (drawn) plot.draw(host, { ...drawing(drawn, words), told: words.told ?? `${name}: ${drawn.steps.join(", ")}.` });
      host.append(heads.length ? page.table(name, heads, lines) : page.facts(name, lines));
    },
  };

  function section({ id, heading, failure, parts, about }) {
    const made = element("section", "", element("h2", "", heading));
    made.id = id;
    find("sections").append(made);
    const words = document.querySelector(`template[data-section="${id}"]`);
    if (words) made.append(words.content);
    if (failure) made.append(element("p", "notice wrong", failure));
    const host = element("div", parts.some(({ kind }) => kind === "figure") ? "pair" : "");
    made.append(host);
    parts.forEach((part) => PARTS[part.kind](host, part, words?.dataset ?? {}));
    if (about) made.append(element("p", "about", about));
  }

  tell("run", report.about);
  report.notices.forEach(({ text, wrong }) => page.notices("notices", [text], wrong));
  if (report.verdict) {
    tell("verdict", report.verdict.text);
    if (report.verdict.wrong) find("verdict").className = "notice wrong";
  }
  if (report.tiles.length) page.tiles("tiles", report.tiles);
  report.sections.forEach(section);
  if (report.facts.length) find("environment").append(element("h2", "", "Environment"), page.facts("Environment", report.facts));
}

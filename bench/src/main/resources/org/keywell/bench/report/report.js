// Shows a report, whose document says what is a text, what a table and what a plot.
"use strict";

{
  const { element, find, tell } = page;
  const report = page.data();

  function draw(host, name, { unit, steps, lines, bars }, { across = "", title, told }) {
    const known = lines.flatMap((line) => line.points).filter((value) => value > 0);
    plot.draw(host, {
      lines: lines.map(({ dash, ...line }) => ({ ...line, dash: dash.length ? dash : undefined, dots: !bars })),
      steps,
      bars,
      sideways: bars,
      across: { label: across },
      up: bars ? plot.linear(0) : plot.logarithmic(Math.min(...known), Math.max(...known)),
      labels: unit,
      title,
      told: told ?? `${name}: ${steps.join(", ")}.`,
    });
  }

  function section({ id, heading, failure, tables, about }) {
    const made = element("section", "", element("h2", "", heading));
    made.id = id;
    find("sections").append(made);
    const words = document.querySelector(`template[data-section="${id}"]`);
    if (words) made.append(words.content);
    if (failure) made.append(element("p", "notice wrong", failure));
    for (const { name, heads, lines, plot: drawn } of tables) {
      if (drawn) draw(made, name, drawn, words?.dataset ?? {});
      made.append(page.table(name, heads, lines));
    }
    if (about) made.append(element("p", "about", about));
  }

  tell("run", report.about);
  report.notices.forEach(({ text, wrong }) => page.notices("notices", [text], wrong));
  if (report.verdict) {
    tell("verdict", report.verdict.text);
    if (report.verdict.wrong) find("verdict").className = "notice wrong";
  }
  report.sections.forEach(section);
  find("environment").append(page.facts("Environment", report.facts));
}

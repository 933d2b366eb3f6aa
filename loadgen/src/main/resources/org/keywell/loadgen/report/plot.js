// One way to draw: lines or bars over time or over steps, in the page's colours.
"use strict";

const plot = (() => {
  /* global Chart, format, page */
  const charts = [];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  /** The next of 1, 2 and 5 times a power of ten. */
  function roundUp(value) {
    const decade = 10 ** Math.floor(Math.log10(value));
    const multiple = value / decade - 1e-9;
    return decade * (multiple <= 1 ? 1 : multiple <= 2 ? 2 : multiple <= 5 ? 5 : 10);
  }

  /** A logarithmic axis from a whole power of ten to a round number. */
  function logarithmic(min, max) {
    const from = 10 ** Math.floor(Math.log10(Math.max(min, 1e-3)) + 1e-9);
    return { type: "logarithmic", min: from, max: roundUp(Math.max(max, from * 10)) };
  }

  const linear = (max, min = 0) => ({ type: "linear", min, suggestedMax: max });

  function powersOfTen(axis) {
    axis.ticks = [];
    for (let value = axis.min; value <= axis.max * 1.001; value *= 10) axis.ticks.push({ value });
  }

  function legend(lines, bars) {
    const items = lines.map((line) => {
      const swatch = page.element("span", `swatch${line.dash ? " dashed" : ""}${bars ? " block" : ""}`);
      swatch.style.borderColor = `var(--${line.colour})`;
      return page.element("li", "", swatch, line.label);
    });
    return page.element("ul", "legend", ...items);
  }

  /** A line's colours; the area below it shows what is behind. */
  function inked(line, bars) {
    const ink = colour(line.colour);
    return { borderColor: ink, pointBackgroundColor: ink, backgroundColor: bars ? ink : `${ink}2a` };
  }

  function dataset(line, bars, up) {
    const y = (value) => (up.type === "logarithmic" && value !== null ? Math.max(value, up.min) : value);
    const data = line.points.map((point) =>
      typeof point === "object" && point !== null ? { x: point.x, y: y(point.y), shown: point.y } : y(point));
    return {
      label: line.label,
      data,
      ...inked(line, bars),
      fill: line.area ? "origin" : false,
      borderWidth: bars ? 0 : (line.width ?? 2),
      borderDash: line.dash ?? [],
      pointRadius: line.dots ? 3.5 : 0,
      pointHitRadius: 8,
      barPercentage: 0.9,
      categoryPercentage: 0.9,
    };
  }

  /** Takes the colours of the page as they are now. */
  function restyle({ chart, lines, bars }) {
    for (const axis of [chart.options.scales.x, chart.options.scales.y]) {
      axis.grid = { color: colour("grid") };
      axis.border = { color: colour("line") };
      axis.ticks.color = colour("quiet");
      axis.title.color = colour("quiet");
    }
    chart.data.datasets.forEach((made, i) => {
      Object.assign(made, inked(lines[i], bars));
    });
    chart.update();
  }

  /**
   * Draws a plot into an element.
   *
   * @param spec.lines with label, colour and points: values per step, or {x, y}
   * @param spec.steps the steps' names; without them x is a number
   * @param spec.sideways bars of steps with long names: they lie, one below the other
   * @param spec.across the horizontal axis: its label, its ends and its ticks
   * @param spec.up the vertical axis: plot.linear or plot.logarithmic
   * @param spec.told what there is to see, for those who cannot
   */
  function draw(host, { lines, steps, bars, stacked, sideways, across, up, low, labels, told, title = "" }) {
    const frame = page.element("div", low ? "canvas low" : "canvas");
    if (sideways) frame.style.height = `${4 + steps.length * (0.6 + 0.7 * lines.length)}rem`;
    const canvas = page.element("canvas");
    frame.setAttribute("role", "img");
    frame.setAttribute("aria-label", told);
    frame.append(canvas);
    host.append(legend(lines, bars), frame);
    const named = {
      type: steps ? "category" : "linear",
      stacked,
      min: across.min,
      max: across.max,
      title: { display: across.label !== "", text: across.label },
      ticks: { maxRotation: 0, includeBounds: false, autoSkip: !sideways, ...across.ticks },
    };
    const valued = {
      ...up,
      stacked,
      ...(up.type === "logarithmic" ? { afterBuildTicks: powersOfTen } : {}),
      title: { display: true, text: labels },
      ticks: { maxTicksLimit: 7, callback: (value) => format.number(value) },
    };
    const chart = new Chart(canvas, {
      type: bars ? "bar" : "line",
      data: { labels: steps, datasets: lines.map((line) => dataset(line, bars, up)) },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        indexAxis: sideways ? "y" : "x",
        interaction: { mode: steps ? "index" : "nearest", intersect: false, axis: sideways ? "y" : "x" },
        plugins: {
          legend: { display: false },
          colors: { enabled: false },
          tooltip: {
            callbacks: {
              title: (items) => (items.length ? `${title}${steps ? items[0].label : format.number(items[0].parsed.x)}` : ""),
              label: ({ dataset: { label }, raw, parsed }) => `${label}: ${format.number(raw?.shown ?? (sideways ? parsed.x : parsed.y))}`,
            },
          },
        },
        scales: sideways ? { x: valued, y: named } : { x: named, y: valued },
      },
    });
    const made = { chart, lines, bars };
    restyle(made);
    charts.push(made);
  }

  /**
   * Draws a plot below its heading, with the figures that matter most in it below.
   *
   * @param spec.facts pairs of a caption and a figure
   * @param spec.level the heading's element
   */
  function figure(host, { heading, about, facts = [], level = "h2", ...spec }) {
    const told = facts.map(([caption, value]) => `${caption}: ${value}`).join("; ");
    const made = page.element("figure", "", page.element(level, "", heading), page.element("p", "about", about));
    host.append(made);
    draw(made, { ...spec, told: [heading, about, told].filter(Boolean).join(" – ") });
    if (told) made.append(page.element("figcaption", "about", told));
  }

  /** A limit that stands across a whole plot. */
  const limit = (label, ink, value, points) => ({ label, colour: ink, dash: [8, 4], width: 1.5, points: points.map((x) => (x === null ? value : { x, y: value })) });

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach(restyle));

  return { draw, figure, limit, linear, logarithmic };
})();

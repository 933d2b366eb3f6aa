// Plots over time: lines that move to the left, and limits that stand still.

import { count, millis, perSecond } from "./format.js";

/* global Chart */

const dark = matchMedia("(prefers-color-scheme: dark)");
const plots = [];
const reach = { millis: 600_000 };

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** One panel: a title, a legend with the current values, the plot, and what it means. */
class Plot {
  #points = [];
  #values;
  #frame;
  #chart;
  #spec;

  constructor(parent, spec) {
    this.#spec = spec;
    const panel = element("div", "plot");
    panel.append(element("h3", "", spec.title));
    this.#values = spec.lines.map((line) => this.#legend(panel, line));
    this.#frame = element("div", "canvas");
    this.#frame.setAttribute("role", "img");
    const canvas = element("canvas");
    this.#frame.append(canvas);
    panel.append(this.#frame, element("p", "about", spec.about));
    parent.append(panel);
    this.#chart = new Chart(canvas, this.#config());
    this.restyle();
    plots.push(this);
  }

  #legend(panel, line) {
    let list = panel.querySelector("ul");
    if (!list) {
      list = element("ul", "legend");
      panel.append(list);
    }
    const item = element("li");
    const swatch = element("span", line.limit === undefined ? "swatch" : "swatch dashed");
    swatch.style.borderColor = `var(--${line.colour})`;
    const value = element("b", "", line.limit === undefined ? "–" : this.#spec.format(line.limit));
    item.append(swatch, `${line.label} `, value);
    list.append(item);
    return value;
  }

  #config() {
    const { lines, logarithmic, format, from, top } = this.#spec;
    return {
      type: "line",
      data: {
        datasets: lines.map((line) => ({
          label: line.label,
          data: [],
          borderWidth: line.limit === undefined ? 2 : 1.5,
          borderDash: line.limit === undefined ? [] : [6, 4],
          pointRadius: 0,
          pointHitRadius: 8,
          stepped: Boolean(line.stepped),
        })),
      },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        normalized: true,
        interaction: { mode: "index", intersect: false, axis: "x" },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: (items) => (items.length ? ago(this.#latest() - items[0].parsed.x) : ""),
              label: (item) => `${item.dataset.label}: ${format(item.parsed.y)}`,
            },
            filter: (item) => lines[item.datasetIndex].limit === undefined,
          },
        },
        scales: {
          x: {
            type: "linear",
            afterBuildTicks: (axis) => {
              const steps = axis.width < 420 ? [10, 5, 0] : [10, 8, 6, 4, 2, 0];
              axis.ticks = steps.map((minutes) => ({ value: axis.max - minutes * 60_000 }))
                .filter((tick) => tick.value >= axis.min);
            },
            ticks: {
              autoSkip: false,
              maxRotation: 0,
              align: "inner",
              callback: (value) => ago(this.#latest() - value),
            },
          },
          y: {
            type: logarithmic ? "logarithmic" : "linear",
            min: from ?? 0,
            suggestedMax: top,
            ...(logarithmic ? { max: top, afterBuildTicks: powersOfTen } : {}),
            ticks: { maxTicksLimit: 6, precision: 0, callback: (value) => this.#spec.axis(value) },
          },
        },
      },
    };
  }

  #latest() {
    return this.#points.length ? this.#points[this.#points.length - 1].t : 0;
  }

  /** Takes the colours of the page as they are now. */
  restyle() {
    const { scales } = this.#chart.options;
    for (const axis of [scales.x, scales.y]) {
      axis.grid = { color: colour("grid") };
      axis.border = { color: colour("line") };
      axis.ticks.color = colour("quiet");
    }
    this.#chart.data.datasets.forEach((dataset, i) => {
      dataset.borderColor = colour(this.#spec.lines[i].colour);
      dataset.backgroundColor = dataset.borderColor;
    });
    this.#chart.update("none");
  }

  clear() {
    this.#points = [];
  }

  destroy() {
    this.#chart.destroy();
  }

  /** Adds a sample without drawing it. */
  add(sample) {
    this.#points.push({ t: sample.epochMillis, values: this.#spec.lines.map((line) => line.of?.(sample) ?? null) });
  }

  draw() {
    const end = this.#latest();
    const begin = end - reach.millis;
    while (this.#points.length && this.#points[0].t < begin) this.#points.shift();
    this.#chart.options.scales.x.min = begin;
    this.#chart.options.scales.x.max = end;
    this.#spec.lines.forEach((line, i) => {
      this.#chart.data.datasets[i].data =
        line.limit === undefined
          ? this.#points.map((point) => ({ x: point.t, y: point.values[i] }))
          : [{ x: begin, y: line.limit }, { x: end, y: line.limit }];
    });
    this.#chart.update("none");
    this.#tell();
  }

  #tell() {
    const last = this.#points[this.#points.length - 1];
    const told = this.#spec.lines.map((line, i) => {
      if (line.limit !== undefined) return `${line.label} ${this.#spec.format(line.limit)}`;
      const value = last?.values[i] ?? null;
      const text = value === null ? "–" : this.#spec.format(value);
      this.#values[i].textContent = text;
      return `${line.label} ${value === null ? "not known" : text}`;
    });
    this.#frame.setAttribute("aria-label", `${this.#spec.title}, the last ten minutes. Now: ${told.join(", ")}.`);
  }
}

function ago(ms) {
  const s = Math.round(ms / 1000);
  if (s <= 0) return "now";
  return s % 60 === 0 ? `−${s / 60} min` : `−${s} s`;
}

function powersOfTen(axis) {
  axis.ticks = [1, 10, 100, 1000, 10_000].map((value) => ({ value }));
}

dark.addEventListener("change", () => plots.forEach((plot) => plot.restyle()));

/** Makes the plots that the service's limits ask for. */
export function makePlots(limits, pools, signing) {
  reach.millis = limits.historySeconds * 1000;
  plots.splice(0).forEach((plot) => plot.destroy());
  pools.replaceChildren();
  signing.replaceChildren();
  limits.pools.forEach((pool, i) => {
    const row = element("div", "plots");
    pools.append(row);
    new Plot(row, storedPlot(pool, i));
    new Plot(row, loadedPlot(pool, i));
  });
  new Plot(signing, ratePlot());
  new Plot(signing, queuePlot(limits));
  new Plot(signing, latencyPlot());
}

const storedPlot = (pool, i) => ({
  title: `${pool.keySpec}: stored keys`,
  about: "Keys in PostgreSQL, encrypted by the HSM. The generator fills them up to the limit while nobody signs; loading takes them from here.",
  format: count,
  axis: count,
  top: pool.maxStored,
  lines: [
    { label: "stored", colour: "blue", of: (s) => s.pools[i].stored },
    { label: "limit", colour: "quiet", limit: pool.maxStored },
  ],
});

const loadedPlot = (pool, i) => ({
  title: `${pool.keySpec}: loaded keys`,
  about: "Keys inside the HSM, ready to sign. Below the low-water line a batch is loaded from the store; at 0 requests wait, or get a key made for them.",
  format: count,
  axis: count,
  top: pool.loadedCapacity,
  lines: [
    { label: "loaded", colour: "blue", of: (s) => s.pools[i].loaded },
    { label: "low water", colour: "orange", limit: pool.lowWater },
  ],
});

const ratePlot = () => ({
  title: "Requests per second",
  about: "Signed requests, second by second, and those that failed, expired or were refused.",
  format: perSecond,
  axis: count,
  top: 5,
  lines: [
    { label: "signed", colour: "blue", of: (s) => s.signedPerSecond },
    { label: "not signed", colour: "red", of: (s) => s.unsignedPerSecond },
  ],
});

const queuePlot = (limits) => ({
  title: "Queue",
  about: "Requests that are accepted and wait for a sign thread. A queue that grows means that more come than the HSM signs.",
  format: count,
  axis: count,
  top: 10,
  lines: [{ label: `of ${count(limits.queueLimit)} places, taken:`, colour: "blue", of: (s) => s.queueLength }],
});

const latencyPlot = () => ({
  title: "Latency",
  about: "From receipt until the outcome is on record, over ten seconds. In normal hours 99 of 100 are to be below 300 ms, at the peak below 3,000 ms.",
  format: millis,
  axis: (ms) => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`),
  logarithmic: true,
  from: 1,
  top: 10_000,
  lines: [
    { label: "p50", colour: "blue", of: (s) => s.latency?.p50Millis ?? null },
    { label: "p99", colour: "orange", of: (s) => s.latency?.p99Millis ?? null },
    { label: "normal", colour: "quiet", limit: 300 },
    { label: "peak", colour: "red", limit: 3000 },
  ],
});

export function fillPlots(samples) {
  plots.forEach((plot) => {
    plot.clear();
    samples.forEach((sample) => plot.add(sample));
    plot.draw();
  });
}

export function extendPlots(sample) {
  plots.forEach((plot) => {
    plot.add(sample);
    plot.draw();
  });
}

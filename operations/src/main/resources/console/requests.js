// The latest requests, each with its stages as a bar.

import { millis, seconds } from "./format.js";

const STAGES = ["accept", "queue", "key", "sign", "certify", "destroy", "record", "other"];

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Names the colours. */
export function showStages(list) {
  list.replaceChildren(...STAGES.map((stage) => {
    const item = element("li");
    item.append(element("span", `swatch box ${stage}`), stage);
    return item;
  }));
}

function requestId(id) {
  const cell = element("th");
  cell.scope = "row";
  cell.title = id;
  const short = element("code", "", id.slice(0, 8));
  short.setAttribute("aria-hidden", "true");
  cell.append(short, element("span", "hidden", id));
  return cell;
}

function origin(preGenerated) {
  if (preGenerated === null) return "none";
  return preGenerated ? "from the pool" : "on the fly";
}

function bar(request, longestMicros) {
  const cell = element("td", "stages");
  const drawn = element("div", "bar");
  drawn.setAttribute("role", "img");
  const told = STAGES.filter((stage) => request.stages[stage] > 0)
    .map((stage) => `${stage} ${millis(request.stages[stage] / 1000)}`);
  drawn.setAttribute("aria-label", told.join(", ") || "no time");
  drawn.title = told.join(", ");
  for (const stage of STAGES) {
    const part = element("span", stage);
    part.style.width = `${(100 * request.stages[stage]) / longestMicros}%`;
    drawn.append(part);
  }
  cell.append(drawn);
  return cell;
}

export function showRequests(body, none, requests) {
  none.hidden = requests.length > 0;
  const longest = Math.max(1, ...requests.map((request) => request.totalMicros));
  body.replaceChildren(...requests.map((request) => {
    const row = element("tr");
    row.append(
      requestId(request.id),
      element("td", "number age", seconds(request.ageMillis / 1000)),
      element("td", request.outcome === "signed" ? "outcome" : "outcome unsigned", request.outcome),
      element("td", "origin", origin(request.preGenerated)),
      element("td", "number total", millis(request.totalMicros / 1000)),
      bar(request, longest),
    );
    return row;
  }));
}

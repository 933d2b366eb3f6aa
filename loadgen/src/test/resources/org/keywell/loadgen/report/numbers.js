"use strict";

for (const n of page.data()) {
  const { number, count, percent, time, millis, megabytes } = quantity;
  const texts = [...[number, count, percent, time, millis, megabytes].map((form) => form(n)), format.percent(Math.min(1, n))];
  page.find("numbers").append(page.element("tr", "", ...texts.map((text) => page.element("td", "", text))));
}

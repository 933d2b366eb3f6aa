"use strict";

for (const n of page.data()) {
  page.find("numbers").append(page.element("tr", "", page.element("td", "", format.percent(n))));
}

// The page's parts: warnings, tiles and tables, made of the document's figures.
"use strict";

const page = (() => {
  const find = (id) => document.getElementById(id);

  /** An element with some content: texts are texts, whatever characters they have. */
  function element(tag, className, ...content) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...content);
    return made;
  }

  /** Shows a text where the page has a place for it. */
  const tell = (id, text) => find(id).append(text);

  /** What a reader must know before believing a figure. */
  function notices(id, texts, wrong) {
    find(id).append(...texts.map((text) => element("p", wrong ? "notice wrong" : "notice", text)));
  }

  /**
   * Warns by captions with a figure, of those documents that have one.
   *
   * @param entries a caption, its figure or nothing of a document, and whether something is wrong
   * @param documents under their names, which stand before figures that only some of them have
   */
  function warnings(id, entries, documents) {
    for (const [caption, figure, wrong] of entries) {
      const told = Object.entries(documents).map(([name, document]) => [name, figure(document)]);
      const common = told[0][1];
      const shared = told.every(([, text]) => text === common);
      const named = told.filter(([, text]) => text).map(([name, text]) => `${name}: ${caption}: ${text}`);
      notices(id, !shared ? named : common ? [`${caption}: ${common}`] : [], wrong);
    }
  }

  /** Figures to be seen at once: pairs of a figure and what it is, and whether it is good. */
  function tiles(id, entries) {
    const list = element("dl", "tiles");
    for (const [figure, words, good = true] of entries) {
      list.append(element("div", "", element("dt", "", words), element("dd", good ? "" : "bad", figure)));
    }
    find(id).append(list);
  }

  function scrolling(name, table) {
    const box = element("div", "scroll", table);
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", name);
    return box;
  }

  function cell(scope, text) {
    const made = element(scope ? "th" : "td", "", text);
    if (scope) made.scope = scope;
    return made;
  }

  const line = (cells) => element("tr", "", ...cells.map((text, i) => cell(i ? "" : "row", text)));

  /** A table whose rows begin with their names. */
  function table(name, columns, rows) {
    const head = element("tr", "", ...columns.map((column) => cell("col", column)));
    return scrolling(name, element("table", "", element("thead", "", head), element("tbody", "", ...rows.map(line))));
  }

  /** Fills places such as {fromDue.p99:millis} or {seconds:decimals:3}: a member, and its form if that is not text. */
  const filled = (text, item) =>
    text.replace(/\{([\w.]+):?(\w*):?(\d*)\}/g, (_, path, form, places) =>
      format[form || "text"](path.split(".").reduce((of, name) => of?.[name], item), places));

  const cells = (columns, item) => columns.split("|").map((column) => filled(column, item));

  /** A table of items: the heads of its columns, and what these say of each item. */
  const grid = (name, [heads, columns], items) => table(name, heads.split("|"), items.map((item) => cells(columns, item)));

  /** Rows of a caption and what it says of each document: a text to be filled, or a function; a dash where that is nothing. */
  const fields = (entries, ...documents) =>
    entries.map(([caption, of]) => [caption, ...documents.map((document) => (of.call ? of(document) : filled(of, document)) || "–")]);

  /** Pairs of a name and a text. */
  function facts(name, entries) {
    return scrolling(name, element("table", "facts", element("tbody", "", ...entries.map(line))));
  }

  /** At most so many as a person reads; the document has all. */
  function thinned(all) {
    const every = Math.ceil(all.length / 60);
    return all.filter((_, i) => i % every === 0);
  }

  const folded = (name, content) => element("details", "", element("summary", "", name), content);

  const list = (texts) => element("ul", "told", ...texts.map((text) => element("li", "", text)));

  /** What was required, and the figures that decided it. */
  function requirements(id, results) {
    if (results.length === 0) return;
    const items = results.map(({ requirement, met, actual }) =>
      element("li", "", element("b", met ? "good" : "bad", met ? "met" : "not met"), ` ${requirement} (it is ${actual})`));
    find(id).append(element("h2", "", "Requirements"), element("ul", "told", ...items));
    find(id).hidden = false;
  }

  /** The document that the page was made for. */
  const data = () => JSON.parse(find("data").textContent);

  return { cells, data, element, facts, fields, find, folded, grid, list, notices, requirements, table, tell, thinned, tiles, warnings };
})();

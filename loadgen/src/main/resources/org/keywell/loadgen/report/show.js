// Two runs side by side.
"use strict";

{
  const { find } = page;
  const { a, b } = page.data();
  const named = { a: `A: ${a.name}`, b: `B: ${b.name}` };

  const notices = (run) => [
    ...runWords.wrongs(run).map((text) => page.element("p", "notice wrong", text)),
    ...runWords.doubts(run).map((text) => page.element("p", "notice", text)),
  ];

  find("totals").append(runTables.totals(named.a, a.run, named.b, b.run));
  runColumn.draw(find("columns"), named.a, notices(a.run), a.run, b.run);
  runColumn.draw(find("columns"), named.b, notices(b.run), b.run, a.run);
}

// What a reader must know of how a table's figures were made, here and in the thesis.
"use strict";

const notes = (() => {
  /** A printed time may differ from its printed total by so much. */
  const TOLERANCE = 0.01;

  const METHOD = {
    "2-4": ["Each key is destroyed before the next one is made."],
    "2-5": [
      "The thesis saved each wrapped key to a file; here it is a durable transaction of the database, after the live copy was destroyed. A profile’s time for wrapping is the thesis’s for wrapping and saving, and the real transaction is added.",
    ],
    "2-6": [
      "No device has a part in this, so nothing is simulated.",
      "A key is written in a transaction of its own; a block is loaded in one, which takes the keys out of the store and notes them as claimed.",
      "The rows are stand-ins of the size of real ones: one wrapped key, with another number in each public key.",
    ],
    "2-7": [
      "The thesis’s driver initialised a cipher for each block, which is spread over the block’s keys here. Keywell finds its wrapping key once, when it opens the device, so there is nothing to measure.",
    ],
    "2-8/2-9": [
      "The keys live in the device already. Each signs once, the CA’s key in the same device signs its certificate, and the key is destroyed.",
      "A profile’s time for signing covers all of that. The device as it is has no distance to bridge, so its rows differ in their number of requests only.",
    ],
    "2-10": [
      "Spread is the fastest and the slowest single request; the thesis prints it as “variance in signing times”. A single request includes its wait for the device.",
      "Simulated from Stockholm, as the thesis’s single thread of 43 ms was. The thesis does not tell how many requests its figures are of.",
    ],
    "2-11": ["Another thread unwraps keys without pause, and destroys them; none of those signs."],
  };

  /** What the printed total is of. */
  const TOTALLED = {
    "2-4": ["generate"],
    "2-5": ["generate, wrap and save"],
    "2-6": ["load from the database", "write to the database"],
    "2-7": ["load and unwrap"],
    "2-8/2-9": ["sign, certify, destroy"],
    "2-10": [],
    "2-11": ["sign, certify, destroy"],
  };

  /** Where the thesis’s printed time a key is not what its printed total comes to. */
  const slips = ({ table, rows }) =>
    rows.flatMap((row) => {
      const printed = TOTALLED[table].map((quantity) => figures.printedMillis(row, quantity)).find((time) => time !== undefined);
      const computed = figures.fromTotal(row);
      return printed !== undefined && computed !== undefined && Math.abs(printed - computed) > TOLERANCE * computed
        ? [`The thesis prints ${printed} ms for “${row.thesis.name}”; its total of ${format.count(row.thesis.totalMillis)} ms makes ${sentences.ms(computed)}.`]
        : [];
    });

  const on = (entry) => [...METHOD[entry.table], ...slips(entry)];

  return { on };
})();

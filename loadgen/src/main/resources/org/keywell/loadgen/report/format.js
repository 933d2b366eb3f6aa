// Numbers as people read them, with their units. What is not known is a dash.
"use strict";

const format = (() => {
  const unknown = (value) => value === null || value === undefined;
  const upTo = (digits) => new Intl.NumberFormat("en", { maximumFractionDigits: digits });
  const whole = upTo(0);
  const digits = [whole, upTo(1), upTo(2)];

  /** No more digits than a person needs. */
  function number(value) {
    if (unknown(value)) return "–";
    const size = Math.abs(value);
    return digits[size >= 100 ? 0 : size >= 10 ? 1 : 2].format(value);
  }

  const count = (value) => (unknown(value) ? "–" : whole.format(value));

  const text = (value) => (unknown(value) ? "–" : `${value}`);

  /** Always with so many digits after the point. */
  function decimals(value, places) {
    if (unknown(value)) return "–";
    return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  }

  const millis = (value) => (unknown(value) ? "–" : `${number(value)} ms`);

  /** A part of 1. Never rounds up to 100 %. */
  const percent = (share) => (unknown(share) ? "–" : `${digits[2].format(Math.floor(share * 10_000 + 1e-9) / 100)} %`);

  /** Of 100, always with two digits after the point. */
  const accuracy = (percent) => (unknown(percent) ? "–" : `${decimals(percent, 2)} %`);

  /** Marks what is inferred. */
  const star = (inferred) => (inferred ? "*" : "");

  return { accuracy, number, count, decimals, millis, percent, star, text };
})();

// The numbers of a plan, from milliseconds to years, each in the unit that fits it.
"use strict";

const quantity = (() => {
  const MINUTE = 60;
  const HOUR = 3600;
  const DAY = 86_400;
  const upTo = (digits) => new Intl.NumberFormat("en", { maximumFractionDigits: digits });
  const digits = [upTo(0), upTo(1), upTo(2)];
  const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

  function number(value) {
    const size = Math.abs(value);
    if (value !== 0 && size < 0.1) return small.format(value);
    return digits[size < 100 ? 2 : size < 1000 ? 1 : 0].format(value);
  }

  const oneDecimal = (value) => digits[value < 100 ? 1 : 0].format(value);

  const count = (value) => digits[0].format(value);

  /** A part of 1, in steps of 0.1, or of 0.01 below 1 %. Never rounds up to 100 %. */
  function percent(share) {
    const steps = share < 0.01 ? 1e4 : 1e3;
    return `${number((Math.floor(share * steps + 1e-9) * 100) / steps)}%`;
  }

  function time(seconds) {
    if (seconds < 1) return `${number(seconds)} s`;
    if (seconds < 2 * MINUTE) return `${oneDecimal(seconds)} s`;
    if (seconds < 2 * HOUR) return `${oneDecimal(seconds / MINUTE)} min`;
    return seconds < 2 * DAY ? `${oneDecimal(seconds / HOUR)} h` : `${oneDecimal(seconds / DAY)} days`;
  }

  const hours = (n) => time(n * HOUR);
  const days = (n) => time(n * DAY);
  const millis = (ms) => (ms < 10_000 ? `${number(ms)} ms` : time(ms / 1000));
  const megabytes = (mb) => (mb < 1000 ? `${number(mb)} MB` : `${number(mb / 1000)} GB`);
  const hsms = (n) => (n === 1 ? "one HSM" : `${count(n)} HSMs`);

  return { number, count, percent, time, hours, days, millis, megabytes, hsms };
})();

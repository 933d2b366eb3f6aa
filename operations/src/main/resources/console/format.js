// Numbers as operators read them, with their units.

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A count, or a dash if it is not known. */
export const count = (n) => (n === null ? "–" : number.format(n));

const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** Hours, minutes and seconds of a moment, where the browser is. */
export const timeOfDay = (epochMillis) => time.format(epochMillis);

/** Requests per second. */
export const perSecond = (n) => `${n.toFixed(n < 100 ? 1 : 0)} /s`;

/** Milliseconds with three digits that count, from 0.01 ms to minutes. */
export function millis(ms) {
  if (ms >= 60_000) return seconds(ms / 1000);
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 100) return `${count(ms)} ms`;
  return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

/** A span of time, in its two largest units. */
export function seconds(s) {
  const whole = Math.round(s);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 172_800) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${count(whole / 86_400)} days`;
}

// What a run came to, in words.
"use strict";

const runWords = (() => {
  const { number, count, millis } = format;

  /** A driver that is later than this, at p99, has a part in what it measures. */
  const LATE_MILLIS = 5;

  function checked({ checked: n, invalid }) {
    if (n === 0) return "No signature was checked.";
    return invalid === 0
      ? `${count(n)} signatures and certificate chains were checked, and all are right.`
      : `${count(invalid)} of ${count(n)} signatures or certificate chains that were checked are WRONG.`;
  }

  /** One or two sentences that answer what most readers ask first. */
  function verdict({ totals, verification }) {
    const signed = `${count(totals.signed)} of ${count(totals.due)} requests were signed and ${count(totals.dropped)} dropped`;
    if (!totals.fromDue) return `${signed}.`;
    return `${signed}; 99% of the signatures came within ${millis(totals.fromDue.p99)} of when they were due. ${checked(verification)}`;
  }

  /** What must never happen and did. */
  function wrongs({ verification: v }) {
    const wrongs = [];
    if (v.invalid > 0) wrongs.push(`${count(v.invalid)} wrong answers; the first: ${v.firstProblem}`);
    if (v.distinctKeys < v.signed) {
      wrongs.push(`${count(v.signed)} answers have only ${count(v.distinctKeys)} distinct public keys: a key signed more than once`);
    }
    return wrongs;
  }

  const simulated = (profile) => `The service’s HSM is slowed to the profile ${profile}: its times are simulated.`;

  /** What casts doubt on a run that is right otherwise. */
  function doubts({ simulatedProfile, interrupted, totals, requestsPlanned, timeScale, driver }) {
    const doubts = [];
    const late = driver.sendLateness;
    if (simulatedProfile) doubts.push(simulated(simulatedProfile));
    if (interrupted) doubts.push(`The run was interrupted after ${count(totals.due)} of ${count(requestsPlanned)} requests.`);
    if (timeScale !== 1) {
      doubts.push(`Times are scaled by ${number(timeScale)}: rates are ${number(1 / timeScale)} times those of the schedule.`);
    }
    if (late && late.p99 >= LATE_MILLIS) {
      doubts.push(`The driver itself was late: ${millis(late.p99)} at p99. Latencies from when requests were due contain that; was the machine busy with something else?`);
    }
    if (totals.unsent > 0) {
      doubts.push(`The driver’s limit of ${count(driver.inFlightLimit)} requests in flight was reached; not sent: ${count(totals.unsent)}.`);
    }
    return doubts;
  }

  const times = (profile) => (profile ? `simulated: ${profile}` : "real; the service names no simulated device");

  const revision = ({ gitRevision, gitDirty }) => (gitRevision ? gitRevision + (gitDirty ? ", with changes" : "") : "unknown");

  function service(status) {
    if (!status) return "it gave no configuration";
    const queue = status.queue ? `, queue limit ${count(status.queue.limit)}` : "";
    const pools = status.pools.map((p) =>
      `; ${p.keySpec}: ${count(p.stored)} stored (at most ${count(p.maxStored)}), ${count(p.loaded)} loaded (capacity ${count(p.loadedCapacity)}, low water ${count(p.lowWater)}) before the run`);
    return `mode ${status.mode}${queue}${pools.join("")}`;
  }

  const settings = (told) => (told.length ? told.join(", ") : "as far as told above");

  const warmUp = (requests) =>
    requests === 0
      ? "none of the service"
      : `${count(requests)} requests before the run, one after the other, which are in no figure: a service that has just been started takes its first ones slowly. Each took a key.`;

  function driverWords({ sendLateness: late, selfTest }) {
    const sent = late ? `sent each request ${millis(late.p99)} (p99), at most ${millis(late.max)}, after it was due` : "sent nothing";
    if (!selfTest) return sent;
    return `${sent}; before the run it ${selfTest.keptUp ? "kept up" : "did NOT keep up"} with ${number(selfTest.perSecond)} requests per second against a server that does nothing, sending ${millis(selfTest.sendLatenessP99Millis)} late (p99)`;
  }

  function verification(v) {
    const root = v.rootSha256 ? `; root SHA-256 ${v.rootSha256}` : "";
    const first = v.firstProblem ? `; first: ${v.firstProblem}` : "";
    return `${v.mode}: ${count(v.checked)} checked, ${count(v.invalid)} wrong; ${count(v.distinctKeys)} distinct public keys in ${count(v.signed)} answers${root}${first}`;
  }

  /** Where the driver ran. */
  const machine = (here, profile) => [
    ["Times", times(profile)],
    ["Processor", `${here.cpu}, ${here.cores} cores`],
    ["Java", here.jdk],
    ["System", here.os],
    ["Load average before", number(here.loadAverage)],
    ["Git revision", revision(here)],
  ];

  const environment = (run) => [
    ...machine(run.environment, run.simulatedProfile),
    ["Service", `${run.driver.url}; ${service(run.service)}`],
    ["Its settings", settings(run.serviceSettings)],
    ["Requests", `${run.driver.keySpec}, deadline ${count(run.driver.deadlineMillis)} ms, answers awaited for ${count(run.driver.timeoutMillis)} ms, at most ${count(run.driver.inFlightLimit)} in flight; test id ${run.testId ?? "none"}`],
    ["Warm-up", warmUp(run.driver.warmUpRequests)],
    ["Driver", driverWords(run.driver)],
    ["Verification", verification(run.verification)],
  ];

  return { doubts, environment, machine, service, settings, simulated, verdict, warmUp, wrongs };
})();

package org.keywell.bench.rig;

/**
 * Results of a run of ApacheBench; latencies are from a request's first byte to its answer's last.
 *
 * @param not2xx answers with a status other than 2xx; a run with any is refused
 */
public record AbRun(
    double perSecond,
    double meanMillis,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    int not2xx) {}

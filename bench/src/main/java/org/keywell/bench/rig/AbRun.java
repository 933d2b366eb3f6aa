package org.keywell.bench.rig;

/**
 * What a run of ApacheBench came to; latencies from the request's first byte to the answer's last.
 *
 * @param not2xx answers with another status than 2xx; a run with any is refused
 */
public record AbRun(
    double perSecond,
    double meanMillis,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    int not2xx) {}

package org.keywell.bench.rig;

/**
 * Results of a run of ApacheBench; latencies are from a request's first byte to its answer's last.
 */
public record AbRun(double perSecond, double meanMillis, double p50Millis, double p99Millis) {}

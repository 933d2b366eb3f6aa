package org.keywell.loadgen.watch;

/**
 * The service's queue and keys at one moment of the run.
 *
 * @param seconds since the run's start
 * @param queueLength sign requests that wait
 * @param stored keys in the database
 * @param loaded keys in the HSM, ready to sign
 */
public record PoolPoint(double seconds, int queueLength, int stored, int loaded) {

  public int depth() {
    return stored + loaded;
  }
}

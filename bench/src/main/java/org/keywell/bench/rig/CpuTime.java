package org.keywell.bench.rig;

/**
 * Processor time that a service has used since its start.
 *
 * @param javaMicros of its own process
 * @param postgresMicros of its database's processes, including those that have ended
 */
public record CpuTime(long javaMicros, long postgresMicros) {

  public CpuTime since(CpuTime before) {
    return new CpuTime(javaMicros - before.javaMicros, postgresMicros - before.postgresMicros);
  }
}

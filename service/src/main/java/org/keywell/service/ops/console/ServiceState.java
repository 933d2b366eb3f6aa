package org.keywell.service.ops.console;

import java.util.List;
import java.util.Map;

/**
 * How the service and its parts are.
 *
 * @param ready whether requests should come here
 * @param faults why not; empty if it is ready
 * @param hsmUp whether the HSM works
 * @param hsmState in one word, in lower case
 * @param hsmHung whether a call to it hangs
 * @param generatorThreads how many threads are in each state, by its name in lower case
 */
record ServiceState(
    boolean ready,
    List<Fault> faults,
    boolean hsmUp,
    String hsmState,
    boolean hsmHung,
    int orphanedKeys,
    Map<String, Integer> generatorThreads) {

  /** A part that is to blame, and why. */
  record Fault(String part, String reason) {}
}

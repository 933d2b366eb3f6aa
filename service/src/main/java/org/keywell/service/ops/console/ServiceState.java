package org.keywell.service.ops.console;

import java.util.List;
import java.util.Map;

/**
 * How the service and its parts are.
 *
 * @param ready whether requests should come here
 * @param faults why not; empty if it is ready
 * @param hsms in the order of the settings
 * @param openActs acts in two calls that have a place; each has a key on lease
 * @param generatorThreads how many threads are in each state, by its name in lower case
 */
record ServiceState(
    boolean ready,
    List<Fault> faults,
    List<Hsm> hsms,
    int orphanedKeys,
    int openActs,
    Map<String, Integer> generatorThreads) {

  /**
   * How one HSM is.
   *
   * @param up whether it works
   * @param state in one word, in lower case
   * @param hung whether a call to it hangs
   */
  record Hsm(String name, boolean up, String state, boolean hung) {}

  /** A part that is to blame, and why. */
  record Fault(String part, String reason) {}
}

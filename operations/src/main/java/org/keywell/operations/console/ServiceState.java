package org.keywell.operations.console;

import java.util.List;
import java.util.Map;

/**
 * The state of the service and its parts.
 *
 * @param ready whether it should get requests
 * @param faults why not; empty if it is ready
 * @param hsms in the order of the settings
 * @param openActs acts in two calls that have a place; each has a key on lease
 * @param generatorThreads number of threads by state, in lower case
 */
record ServiceState(
    boolean ready,
    List<Fault> faults,
    List<Hsm> hsms,
    int orphanedKeys,
    int openActs,
    Map<String, Integer> generatorThreads) {

  /**
   * The state of one HSM.
   *
   * @param up whether it works
   * @param state in one word, in lower case
   * @param hung whether a call to it hangs
   */
  record Hsm(String name, boolean up, String state, boolean hung) {}

  /** A part at fault, and why. */
  record Fault(String part, String reason) {}
}

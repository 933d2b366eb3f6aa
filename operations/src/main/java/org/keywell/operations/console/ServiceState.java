package org.keywell.operations.console;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of the service and its parts.
 *
 * @param ready whether it should get requests
 * @param faults why not; empty if it is ready
 * @param hsms in the order of the settings
 * @param openActs acts in two calls that have a place; each has a key on lease
 * @param generatorThreads number of threads by state, in lower case
 * @param kmip null: the service does not listen for KMIP clients
 */
record ServiceState(
    boolean ready,
    List<Fault> faults,
    List<Hsm> hsms,
    int orphanedKeys,
    int openActs,
    Map<String, Integer> generatorThreads,
    @Nullable Kmip kmip) {

  /**
   * The state of one HSM.
   *
   * @param up whether it works
   * @param state in one word, in lower case
   * @param hung whether a call to it hangs
   */
  record Hsm(String name, boolean up, String state, boolean hung) {}

  /**
   * The way in over KMIP.
   *
   * @param refused connections closed at once since the start
   * @param pairs by kind, of those that have a pool
   */
  record Kmip(int connections, int mostConnections, long refused, List<Pairs> pairs) {}

  /**
   * Key pairs for KMIP clients.
   *
   * @param ready null while the store cannot be counted
   * @param made pairs for which clients waited, since the start
   */
  record Pairs(String keySpec, @Nullable Long ready, long made) {}

  /** A part at fault, and why. */
  record Fault(String part, String reason) {}
}

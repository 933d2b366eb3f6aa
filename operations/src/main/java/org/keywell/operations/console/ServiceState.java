package org.keywell.operations.console;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.listener.TlsListener;

/**
 * The state of the service and its parts.
 *
 * @param ready whether it should get requests
 * @param faults why not; empty if it is ready
 * @param warnings what will make a part fail unless somebody acts
 * @param hsms in the order of the settings
 * @param openActs acts in two calls that have a place; each has a key on lease
 * @param generatorThreads number of threads by state, in lower case
 * @param kmip null: the service does not listen for KMIP clients
 * @param xks null: the service is no external key store
 * @param jms null: the service takes no requests from a broker
 */
record ServiceState(
    boolean ready,
    List<Fault> faults,
    List<String> warnings,
    List<Hsm> hsms,
    int orphanedKeys,
    int openActs,
    Map<String, Integer> generatorThreads,
    @Nullable Kmip kmip,
    @Nullable Xks xks,
    @Nullable Jms jms) {

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
   * @param pairs by kind, of those that have a pool
   */
  record Kmip(Connections connections, List<Pairs> pairs) {}

  /**
   * The external key store.
   *
   * @param unusableSeconds for how long its credentials file could not be used; null: it is in use
   */
  record Xks(Connections connections, @Nullable Long unusableSeconds) {}

  /**
   * The way in over a message broker.
   *
   * @param consumers that take requests at this moment, of all queues
   * @param outageSeconds for how long none has been taken from some queue; null: all are served
   */
  record Jms(int queues, int consumers, @Nullable Long outageSeconds) {}

  /**
   * Connections of a port.
   *
   * @param refused closed at once since the start
   */
  record Connections(int open, int most, long refused) {

    static Connections of(TlsListener listener) {
      return new Connections(
          listener.connections(), listener.mostConnections(), listener.refused());
    }
  }

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

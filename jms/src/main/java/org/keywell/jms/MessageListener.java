package org.keywell.jms;

/** Told of each message once its transaction has ended. Must not block or throw. Thread-safe. */
public interface MessageListener {

  /**
   * An answer was sent.
   *
   * @param result {@code signed}, or the problem's label
   */
  void answered(String result);

  /**
   * A message was moved to the dead-letter queue.
   *
   * @param reason as in {@link #reasons}
   */
  void moved(String reason);

  /** A message went back to the broker, which delivers it again. */
  void returned();

  /** Returns all reasons for which messages are moved. */
  static Iterable<String> reasons() {
    return Fault.labels();
  }
}

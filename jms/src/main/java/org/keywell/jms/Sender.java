package org.keywell.jms;

import org.keywell.signing.caller.Caller;

/** Who sent a message. */
sealed interface Sender {

  /**
   * A caller.
   *
   * @param name as the broker states it, or the caller's by its signature
   */
  record Known(String name, Caller caller) implements Sender {}

  /** Nobody who may; or nobody can say now. */
  record None(Incoming instead) implements Sender {}
}

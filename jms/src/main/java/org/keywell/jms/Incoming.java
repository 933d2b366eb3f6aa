package org.keywell.jms;

import org.jspecify.annotations.Nullable;
import org.keywell.json.MessageBody;
import org.keywell.signing.caller.Caller;

/** What a message turned out to be. */
sealed interface Incoming {

  /** A request of a caller. Its fields are not checked yet. */
  record Request(Caller caller, MessageBody body, Reply reply) implements Incoming {}

  /** A request that is refused as it stands. */
  record Refused(Answer answer, Reply reply) implements Incoming {}

  /**
   * No request; for the dead-letter queue.
   *
   * @param sender as the broker or its signature states it; null if neither does
   * @param detail for the sender and for operators; contains no personal data
   * @param reply where the sender is told as well; null if nobody is
   */
  record Poison(Fault fault, @Nullable String sender, String detail, @Nullable Reply reply)
      implements Incoming {}

  /** What it is cannot be known now; it goes back to the broker. */
  record Unknowable() implements Incoming {}
}

package org.keywell.jms;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators of messages in the dead-letter queue, whose senders may never hear of it: for
 * each reason, the first at once and then a line a minute. Thread-safe.
 */
final class DeadLetterNotes {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterNotes.class);

  private final String queue;

  /** One for each reason: senders that cause one at will cannot hide another. */
  private final Map<Fault, LogPace> paces = new EnumMap<>(Fault.class);

  DeadLetterNotes(String queue, LongSupplier nanoClock) {
    this.queue = queue;
    for (Fault fault : Fault.values()) {
      paces.put(fault, new LogPace(nanoClock));
    }
  }

  void moved(Incoming.Poison poison) {
    @Nullable LogPace pace = paces.get(poison.fault());
    long told = pace == null ? 1 : pace.due(1);
    if (told > 0) {
      log.warn(
          "messages moved to {} as {}: {}; the last, of {}: {}; {}",
          queue,
          poison.fault().label(),
          told,
          poison.sender() == null ? "an unknown sender" : poison.sender(),
          poison.detail(),
          poison.reply() == null ? "the sender gets no answer" : "the sender is told");
    }
  }
}

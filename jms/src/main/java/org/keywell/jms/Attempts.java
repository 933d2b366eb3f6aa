package org.keywell.jms;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.MessageAttempts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds messages at which the process ends again and again, such as by its memory. The broker's
 * count of deliveries includes those that went back in order, so attempts at messages that are
 * delivered again are noted before anything of their body is fetched. A message with an attempt
 * that was cut off is worked on while no other such message is: it cannot be blamed for the end
 * that the other causes. Thread-safe.
 */
final class Attempts {

  /** The delivery before the first that is noted is one more. */
  static final int MOST_CUT_OFF = 1;

  private static final Logger log = LoggerFactory.getLogger(Attempts.class);

  private final MessageAttempts noted;
  private final Semaphore alone = new Semaphore(1);

  Attempts(MessageAttempts noted) {
    this.noted = noted;
  }

  /** Work on one delivery, by one thread. Closing it without an end leaves it noted. */
  final class Attempt implements AutoCloseable {
    private final String queue;
    private final String message;
    private final int cutOff;
    private boolean isNoted;
    private boolean isAlone;

    private Attempt(String queue, String message, boolean isNoted, boolean isAlone, int cutOff) {
      this.queue = queue;
      this.message = message;
      this.isNoted = isNoted;
      this.isAlone = isAlone;
      this.cutOff = cutOff;
    }

    /** Whether the message is not to be worked on. */
    boolean isOneTooMany() {
      return cutOff > MOST_CUT_OFF;
    }

    /** Must be called before the message goes back or is done. The first call counts. */
    void end() {
      if (!isNoted) {
        return;
      }
      isNoted = false;
      try {
        noted.end(queue, message);
      } catch (DatabaseException e) {
        // Counts as cut off, if the message comes again.
        log.warn("{}", e.getMessage());
      }
    }

    @Override
    public void close() {
      if (isAlone) {
        isAlone = false;
        alone.release();
      }
    }
  }

  /**
   * Begins an attempt at a message. The first delivery takes no statement.
   *
   * @return empty if it has to go back and come again: another message has to be done before, or
   *     the database is away
   */
  Optional<Attempt> begin(String queue, ClientMessage message) {
    // A broker that starts on an empty store counts from the beginning.
    String number = message.getMessageID() + "-" + message.getTimestamp();
    if (message.getDeliveryCount() <= 1) {
      return Optional.of(new Attempt(queue, number, false, false, 0));
    }
    try {
      boolean isAlone = noted.isOpen(queue, number);
      return isAlone && !alone.tryAcquire()
          ? Optional.empty()
          : Optional.of(begin(queue, number, isAlone));
    } catch (DatabaseException e) {
      log.debug("a message goes back", e);
      return Optional.empty();
    }
  }

  private Attempt begin(String queue, String number, boolean isAlone) {
    boolean begun = false;
    try {
      Attempt attempt = new Attempt(queue, number, true, isAlone, noted.begin(queue, number));
      begun = true;
      return attempt;
    } finally {
      if (isAlone && !begun) {
        alone.release();
      }
    }
  }
}

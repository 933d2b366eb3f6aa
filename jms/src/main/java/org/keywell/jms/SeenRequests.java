package org.keywell.jms;

import java.time.Instant;
import org.keywell.signing.database.DatabaseException;

/** Which signed messages were taken, by any instance. Thread-safe. */
@FunctionalInterface
public interface SeenRequests {

  /**
   * Marks a message as taken.
   *
   * @param delivery what the broker calls it, which its sender cannot choose
   * @param usableUntil when it is too old anyway
   * @return whether it may be taken: nobody has, or only this same delivery was
   * @throws DatabaseException if that cannot be known now
   */
  boolean take(String sender, String id, String delivery, Instant usableUntil);
}

package org.keywell.kmip.message;

import org.jspecify.annotations.Nullable;

/**
 * Listens to how requests are answered, on the thread that answers them: it must be quick.
 * Thread-safe; must not throw.
 */
public interface AnswerListener {

  /** Listens to nothing. */
  AnswerListener NONE = new AnswerListener() {};

  /**
   * An operation was performed, or refused.
   *
   * @param operation its name, offered or not; null: KMIP has none of this number
   * @param failure a {@code ResultReason} of the newest version; null: it succeeded
   * @param nanos how long it took
   */
  default void answered(@Nullable String operation, @Nullable String failure, long nanos) {}

  /**
   * A message was refused as a whole, before any operation.
   *
   * @param reason as for an operation
   */
  default void refused(String reason) {}
}

package org.keywell.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Who answered is no Keywell service, or one of another contract: what it said is not understood.
 */
public final class UnexpectedAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  UnexpectedAnswerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package org.keywell.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The answer is not understood: not from a Keywell service, or of another contract. */
public final class UnexpectedAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  UnexpectedAnswerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

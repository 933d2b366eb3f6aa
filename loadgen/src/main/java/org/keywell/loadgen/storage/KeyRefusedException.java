package org.keywell.loadgen.storage;

import java.io.IOException;

/** A key manager has not given a data key. */
final class KeyRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The name if there was no answer. */
  static final String UNREACHABLE = "unreachable";

  private final String name;

  /**
   * @param name of the error, as the specification has it, or {@link #UNREACHABLE}
   */
  KeyRefusedException(String name, String message) {
    super("the key manager refuses: " + name + ": " + message);
    this.name = name;
  }

  String name() {
    return name;
  }
}

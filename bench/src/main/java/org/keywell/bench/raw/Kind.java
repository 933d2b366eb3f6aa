package org.keywell.bench.raw;

/** What is timed of a key's life. */
public enum Kind {
  /** Its signature and its end; it was unwrapped before. */
  SIGN_DESTROY("sign-destroy"),
  /** All that a stored key goes through. */
  UNWRAP_SIGN_DESTROY("unwrap-sign-destroy");

  private final String argument;

  Kind(String argument) {
    this.argument = argument;
  }

  /** As the C program takes it. */
  String argument() {
    return argument;
  }
}

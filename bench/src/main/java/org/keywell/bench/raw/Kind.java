package org.keywell.bench.raw;

/** The part of a key's life cycle that is timed. */
public enum Kind {
  /** Signing and destroying; the key was unwrapped before. */
  SIGN_DESTROY("sign-destroy"),
  /** The whole life cycle of a stored key. */
  UNWRAP_SIGN_DESTROY("unwrap-sign-destroy");

  private final String argument;

  Kind(String argument) {
    this.argument = argument;
  }

  /** Returns the C program's argument for it. */
  String argument() {
    return argument;
  }
}

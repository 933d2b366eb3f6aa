package org.keywell.bench.tables.figure;

import com.fasterxml.jackson.annotation.JsonValue;

/** What is timed; all times are milliseconds per key or request. */
public enum Quantity {
  GENERATE("generate"),
  WRAP_AND_SAVE("wrap and save"),
  GENERATE_WRAP_SAVE("generate, wrap and save"),
  LOAD("load from the database"),
  WRITE("write to the database"),
  /** The thesis's driver set up a cipher for each block; Keywell's finds its wrapping key once. */
  CIPHER_INIT("initialise the cipher"),
  UNWRAP("unwrap"),
  LOAD_AND_UNWRAP("load and unwrap"),
  SIGN("sign, certify, destroy"),
  /** The total time of all requests, divided by their number. */
  THROUGHPUT("all requests / their number"),
  SINGLE("a single request"),
  UNWRAP_BESIDE("unwrap, meanwhile");

  private final String words;

  Quantity(String words) {
    this.words = words;
  }

  /** Returns its name for people and in files. */
  @Override
  @JsonValue
  public String toString() {
    return words;
  }
}

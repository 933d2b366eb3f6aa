package org.keywell.bench.suite;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The parts of the suite, in the order in which they are measured. */
public enum PartId {
  A("The binding against a C program"),
  B("A burst from a loaded pool against sign and destroy alone"),
  C("Sustained load against unwrap, sign and destroy alone"),
  D("Keys made ahead of time against a key made for each request"),
  E("Latency at a steady 50 requests a second"),
  F("Latency while a batch is unwrapped against while none is"),
  G("A claim among a million stored keys against one among ten thousand"),
  H("Handler threads, 1 to 50"),
  I("Where processor time and memory go"),
  J("Start, first requests, memory"),
  K("The first minute of a new process against a later half minute"),
  L("A CMS and an act in two calls against a bare signature"),
  M("Signing while the metrics are read against signing alone"),
  N("Signing with the log that nobody can edit against signing without it"),
  O("Signing over TLS with client certificates against plain HTTP on loopback"),
  P("The external key store alone, and while the service generates and signs"),
  Q("Time stamps alone, and while the service signs");

  private final String title;

  PartId(String title) {
    this.title = title;
  }

  /** Returns the parts that are measured unless others are named. */
  public static Set<PartId> usual() {
    return EnumSet.range(A, K);
  }

  /** Returns what it compares, for people. */
  public String title() {
    return title;
  }

  /** Returns its name on the command line, such as {@code a}. */
  public String letter() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the part with that letter.
   *
   * @throws IllegalArgumentException if there is none; the message is for people
   */
  public static PartId ofLetter(String letter) {
    for (PartId id : values()) {
      if (id.letter().equals(letter)) {
        return id;
      }
    }
    throw new IllegalArgumentException(
        "--only: no part '%s'; there are a to %s"
            .formatted(letter, values()[values().length - 1].letter()));
  }
}

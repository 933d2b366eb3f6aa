package org.keywell.loadgen.verify;

import java.util.Locale;

/** Which answers are checked after the run. */
public enum VerifyMode {
  ALL(1),
  /** The first answer, and every tenth after it. */
  SAMPLE(10),
  NONE(0);

  private final int every;

  VerifyMode(int every) {
    this.every = every;
  }

  /** Whether the signed answer with the given index, from 0, is checked. */
  boolean includes(int index) {
    return every > 0 && index % every == 0;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package org.keywell.cli.log;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with a log, each damage once. Bounded: a log may be wrong everywhere. */
public final class Findings {
  private static final int NAMED = 100;

  private final Set<String> named = new LinkedHashSet<>();
  private long more;

  void add(String damage) {
    if (!named.contains(damage)) {
      if (named.size() < NAMED) {
        named.add(damage);
      } else {
        more++;
      }
    }
  }

  /** Whether there is nothing wrong. */
  public boolean none() {
    return named.isEmpty();
  }

  /** Returns the first ones, as clauses for people. */
  public List<String> named() {
    return List.copyOf(named);
  }

  /** Returns how many there are besides. */
  public long more() {
    return more;
  }
}

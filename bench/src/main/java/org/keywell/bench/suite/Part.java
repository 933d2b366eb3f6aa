package org.keywell.bench.suite;

import java.io.IOException;

/** One measurement of the suite. It takes about a minute, once the pool is prepared. */
public interface Part {

  PartId id();

  /**
   * Measures in rounds, in each of which what is compared takes turns, so that the machine's noise
   * meets all of it alike.
   *
   * @param rounds how many, at least 1
   * @throws IOException if something could not be measured; the message says what, for people
   */
  PartResult measure(int rounds) throws IOException, InterruptedException;
}

package org.keywell.bench.suite;

import java.io.IOException;

/** One measurement of the suite. It takes about a minute, once the pool is prepared. */
public interface Part {

  /**
   * Measures in rounds. In each, the systems compared take turns, so that the machine's noise
   * affects all of them.
   *
   * @param rounds how many, at least 1
   * @throws IOException if something could not be measured; the message tells people what
   */
  PartResult measure(int rounds) throws IOException, InterruptedException;
}

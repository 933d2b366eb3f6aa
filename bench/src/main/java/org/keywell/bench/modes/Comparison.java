package org.keywell.bench.modes;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * Kinds of load against one service, in turns, so that whatever else the machine does meets all.
 */
public interface Comparison {

  /** Runs each kind, or what all of them have in common, and forgets it. */
  void warmUp(int requests) throws IOException, InterruptedException;

  /**
   * Runs all kinds in each round, each round in another order.
   *
   * @param requests of each run
   * @throws IOException if one was not signed, or a signal ended the run
   */
  void run(int rounds, int requests) throws IOException, InterruptedException;

  /** Prints what was measured. */
  void print(PrintWriter out);
}

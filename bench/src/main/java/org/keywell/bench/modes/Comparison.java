package org.keywell.bench.modes;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * Kinds of load that take turns at one service, so that the machine's noise affects all of them.
 */
public interface Comparison {

  /** Runs each kind, or what all have in common, and discards the results. */
  void warmUp(int requests) throws IOException, InterruptedException;

  /**
   * Runs all kinds in each round, in an order that changes from round to round.
   *
   * @param requests per run
   * @throws IOException if a request was not signed, or a signal ended the run
   */
  void run(int rounds, int requests) throws IOException, InterruptedException;

  /** Prints the results. */
  void print(PrintWriter out);
}

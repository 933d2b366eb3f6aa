package org.keywell.bench.rig;

/**
 * What a service signs until its code is compiled: measuring it earlier measures the compiler.
 *
 * <p>EC keys are quick to generate and to sign with, so most keys are EC. Some RSA keys come in
 * between: code compiled for only one kind is recompiled when the other arrives, which takes a
 * quarter of the processor time of the first thousand requests for it.
 *
 * @param ec requests for a signature by an EC key
 * @param rsa requests for a signature by an RSA key
 */
public record WarmUp(int ec, int rsa) {
  /**
   * After this the compilers are quiet. After a quarter of it, they still take a third of the
   * service's processor time.
   */
  static final WarmUp USUAL = new WarmUp(40_000, 1_000);

  /** How many times the kinds take turns. */
  static final int TURNS = 10;

  /** Returns the same with another number of RSA keys. */
  public WarmUp withRsa(int requests) {
    return new WarmUp(ec, requests);
  }

  /** Returns how many of {@code requests} are sent in a turn (from 0); the turns add up to all. */
  static int inTurn(int turn, int requests) {
    return requests * (turn + 1) / TURNS - requests * turn / TURNS;
  }
}

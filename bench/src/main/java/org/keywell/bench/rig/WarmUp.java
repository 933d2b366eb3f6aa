package org.keywell.bench.rig;

/**
 * What a service signs until its code is compiled: what is not warm measures the compiler.
 *
 * <p>EC keys are made and signed with in no time, so most are of these. Some are of RSA, and come
 * in between: code that was compiled for the one kind alone is compiled anew when the other comes,
 * and takes a quarter of the processor time of the first thousand requests for it.
 *
 * @param ec requests for a signature by an EC key
 * @param rsa by an RSA key
 */
public record WarmUp(int ec, int rsa) {
  /**
   * After this the compilers are quiet. After a quarter of it, they still take a third of the
   * service's processor time.
   */
  static final WarmUp USUAL = new WarmUp(40_000, 1_000);

  /** How many times the kinds take turns. */
  static final int TURNS = 10;

  /** With another number of RSA keys. */
  public WarmUp withRsa(int requests) {
    return new WarmUp(ec, requests);
  }

  /** How many of so many requests are sent in a turn, from 0 on; those of all turns are all. */
  static int inTurn(int turn, int requests) {
    return requests * (turn + 1) / TURNS - requests * turn / TURNS;
  }
}

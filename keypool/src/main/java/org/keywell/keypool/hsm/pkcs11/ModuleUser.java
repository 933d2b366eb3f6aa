package org.keywell.keypool.hsm.pkcs11;

/**
 * Another user of a module in this process, such as the CA with its key. {@code C_Finalize} applies
 * to the whole process: it ends the sessions and handles of every user, and the module reuses their
 * numbers.
 *
 * <p>The thread that reopens a device calls both methods, while no {@link Pkcs11Hsm#foreignCall} is
 * made; they must make none themselves and must not throw.
 */
public interface ModuleUser {

  /**
   * Gives up what this user has of the module, which is about to end. It must never be used again,
   * not even to be closed, nor by a garbage collector: its numbers will be those of others.
   */
  void retire();

  /**
   * Starts over: the module is reinitialised and the token logged in to.
   *
   * @param slotId the slot that the token is now in
   */
  void renew(long slotId);
}

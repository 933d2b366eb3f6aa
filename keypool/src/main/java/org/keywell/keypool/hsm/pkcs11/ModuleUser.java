package org.keywell.keypool.hsm.pkcs11;

/**
 * Another user of a module in this process, such as SunPKCS11 with the CA's key. {@code C_Finalize}
 * counts for the whole process: it takes the sessions and handles of every user away, and the
 * module gives their numbers to new ones.
 *
 * <p>Both methods are called by the thread that reopens a device, while no {@link
 * Pkcs11Hsm#foreignCall} is made; they must make none themselves, and must not throw.
 */
public interface ModuleUser {

  /**
   * What this user has of the module is about to end. It must never be used again, not even to be
   * closed, nor by a garbage collector: its numbers will be those of others.
   */
  void retire();

  /**
   * The module is initialised and the token logged in to again.
   *
   * @param slotId the slot that the token is in now
   */
  void renew(long slotId);
}

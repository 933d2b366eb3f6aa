package org.keywell.keypool.hsm.pkcs11;

import java.security.Provider;
import org.jspecify.annotations.Nullable;

/**
 * Lends the keys that stay in a token with their certificates, by one provider until the module is
 * finalised. Thread-safe.
 */
final class CertifiedKeys implements ModuleUser {

  private final CryptokiLibrary library;
  private @Nullable CertifiedKeyProvider current;

  CertifiedKeys(CryptokiLibrary library) {
    this.library = library;
  }

  synchronized Provider provider(long slotId) {
    if (current == null || current.slotId() != slotId) {
      current =
          new CertifiedKeyProvider(new TokenSessions(library.functions(), slotId), library.brand());
    }
    return current;
  }

  /** Its sessions are not closed: their numbers may be others' soon. */
  @Override
  public synchronized void retire() {
    current = null;
  }

  @Override
  public void renew(long slotId) {}
}

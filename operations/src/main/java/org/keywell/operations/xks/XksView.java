package org.keywell.operations.xks;

import java.util.List;
import org.keywell.listener.TlsListener;
import org.keywell.xks.auth.CredentialsFile;
import org.keywell.xks.hsm.KeyHsms;

/**
 * The external key store, as of now. Calls neither HSM nor database. Thread-safe.
 *
 * @param listener its port
 * @param callsPerHsm how many calls may be in an HSM at the same time
 * @param devices names of all HSMs, those that are not open included
 */
public record XksView(
    TlsListener listener,
    CredentialsFile credentials,
    KeyHsms hsms,
    int callsPerHsm,
    List<String> devices) {

  public XksView {
    devices = List.copyOf(devices);
  }

  /** Returns how many calls are in an HSM; 0 while it is not open. */
  public int callsIn(String device) {
    return hsms.all().stream()
        .filter(hsm -> hsm.name().equals(device))
        .mapToInt(hsm -> callsPerHsm - hsm.calls().availablePermits())
        .sum();
  }
}

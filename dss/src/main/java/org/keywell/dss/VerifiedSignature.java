package org.keywell.dss;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DSS's verdict on one signature.
 *
 * @param indication per ETSI EN 319 102-1: {@code TOTAL_PASSED}, {@code INDETERMINATE} or {@code
 *     TOTAL_FAILED}
 * @param level such as {@code PAdES-BASELINE-B}
 * @param signer the name in the certificate; null if there is none
 * @param certificate the signer's; null if it is not known
 * @param signingTime the time that the signature claims
 */
public record VerifiedSignature(
    String indication,
    @Nullable String subIndication,
    String level,
    @Nullable String signer,
    @Nullable X509Certificate certificate,
    @Nullable Instant signingTime,
    List<String> errors,
    List<String> warnings) {

  public VerifiedSignature {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  public boolean passed() {
    return indication.equals("TOTAL_PASSED");
  }
}

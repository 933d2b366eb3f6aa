package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import org.keywell.ca.ocsp.OcspUnit;

/**
 * What answers OCSP requests in one device.
 *
 * @param chain the unit's own certificate first, a root last
 * @param signer makes its calls; closed by who uses the unit
 */
public record OcspSigner(
    String device, OcspUnit unit, List<X509Certificate> chain, BoundedSigner signer) {}

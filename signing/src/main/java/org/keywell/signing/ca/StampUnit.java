package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import org.keywell.ca.timestamp.TimeStampUnit;

/**
 * What makes time stamps in one device.
 *
 * @param chain the unit's own certificate first, a root last
 * @param signer makes its calls; closed by who uses the unit
 */
public record StampUnit(
    String device, TimeStampUnit authority, List<X509Certificate> chain, BoundedSigner signer) {}

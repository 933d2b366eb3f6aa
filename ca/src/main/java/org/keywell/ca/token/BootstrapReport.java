package org.keywell.ca.token;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What the bootstrap found or created.
 *
 * @param chain the issuing CA's certificate first, the root last
 */
public record BootstrapReport(
    boolean rootCreated, boolean issuingCreated, List<X509Certificate> chain) {}

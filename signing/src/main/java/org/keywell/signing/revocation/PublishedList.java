package org.keywell.signing.revocation;

import java.time.Instant;

/**
 * A list of revoked certificates as it was last signed.
 *
 * @param number larger than that of each earlier one under the same address
 * @param crl {@code CertificateList} (RFC 5280, section 5), DER
 */
public record PublishedList(long number, Instant thisUpdate, Instant nextUpdate, byte[] crl) {}

package org.keywell.ca.ocsp;

import org.keywell.ca.revocation.Revocation;

/** What a CA says about one of its serial numbers. */
public sealed interface CertificateStatus {

  /** It was issued, and not revoked. */
  record Good() implements CertificateStatus {}

  /** It was revoked. */
  record Revoked(Revocation revocation) implements CertificateStatus {}

  /** No certificate with this serial number is on record. */
  record Unknown() implements CertificateStatus {}
}

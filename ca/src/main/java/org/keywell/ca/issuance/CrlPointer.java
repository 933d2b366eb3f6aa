package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.revocation.CrlShard;

/** The extension that names the list of a certificate's day, encoded once a day. Thread-safe. */
public final class CrlPointer {

  private static final long SECONDS_PER_DAY = 86_400;

  private final URI base;
  private final byte[] issuer;

  private volatile @Nullable OfDay last;

  private record OfDay(long day, Extension extension) {}

  CrlPointer(URI base, byte[] issuer) {
    this.base = base;
    this.issuer = issuer.clone();
  }

  Extension of(Instant notBefore) {
    long day = Math.floorDiv(notBefore.getEpochSecond(), SECONDS_PER_DAY);
    OfDay known = last;
    if (known != null && known.day() == day) {
      return known.extension();
    }
    Extension extension = naming(CrlShard.ofSigners(issuer, notBefore).within(base));
    last = new OfDay(day, extension);
    return extension;
  }

  /** Returns the extension that names a list (RFC 5280, section 4.2.1.13). */
  public static Extension naming(URI address) {
    GeneralName name = new GeneralName(GeneralName.uniformResourceIdentifier, address.toString());
    DistributionPoint point =
        new DistributionPoint(new DistributionPointName(new GeneralNames(name)), null, null);
    try {
      return new Extension(
          Extension.cRLDistributionPoints,
          false,
          new CRLDistPoint(new DistributionPoint[] {point}).getEncoded("DER"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

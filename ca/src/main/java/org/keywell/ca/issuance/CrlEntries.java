package org.keywell.ca.issuance;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import org.bouncycastle.asn1.BERTags;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;

/**
 * The {@code revokedCertificates} of a list (RFC 5280, section 5.1.2.6), written straight into its
 * octets: a list may have 100,000 of them, and is made again every 30 seconds.
 */
final class CrlEntries {

  private static final Instant FIRST_UTC_TIME = Instant.parse("1950-01-01T00:00:00Z");
  private static final Instant FIRST_GENERALIZED_TIME = Instant.parse("2050-01-01T00:00:00Z");

  /** Extensions with {@code reasonCode}; its last octet is the reason. */
  private static final byte[] REASON = {
    0x30, 0x0C, 0x30, 0x0A, 0x06, 0x03, 0x55, 0x1D, 0x15, 0x04, 0x03, 0x0A, 0x01, 0
  };

  private CrlEntries() {}

  /** Returns the DER; nothing for no entries, since the sequence is then absent. */
  static byte[] of(Collection<Revocation> revocations) {
    if (revocations.isEmpty()) {
      return new byte[0];
    }
    int length = 0;
    for (Revocation revoked : revocations) {
      length = Math.addExact(length, Der.size(content(revoked)));
    }
    ByteBuffer out = ByteBuffer.allocate(Der.size(length));
    Der.header(out, Der.SEQUENCE, length);
    revocations.forEach(revoked -> write(out, revoked));
    return out.array();
  }

  private static int content(Revocation revoked) {
    return Der.size(revoked.serial().bitLength() / Byte.SIZE + 1)
        + Der.size(isUtcTime(revoked.at()) ? 13 : 15)
        + (hasReason(revoked) ? REASON.length : 0);
  }

  /** RFC 5280, section 5.3.1: absent rather than unspecified. */
  private static boolean hasReason(Revocation revoked) {
    return revoked.reason() != RevocationReason.UNSPECIFIED;
  }

  private static void write(ByteBuffer out, Revocation revoked) {
    Der.header(out, Der.SEQUENCE, content(revoked));
    byte[] serial = revoked.serial().toByteArray();
    Der.header(out, BERTags.INTEGER, serial.length);
    out.put(serial);
    write(out, revoked.at());
    if (hasReason(revoked)) {
      out.put(REASON, 0, REASON.length - 1).put((byte) revoked.reason().code());
    }
  }

  /** RFC 5280, section 5.1.2.4: UTCTime for the years from 1950 through 2049. */
  private static boolean isUtcTime(Instant at) {
    return !at.isBefore(FIRST_UTC_TIME) && at.isBefore(FIRST_GENERALIZED_TIME);
  }

  private static void write(ByteBuffer out, Instant at) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(at.getEpochSecond(), 0, ZoneOffset.UTC);
    if (isUtcTime(at)) {
      Der.header(out, BERTags.UTC_TIME, 13);
    } else {
      Der.header(out, BERTags.GENERALIZED_TIME, 15);
      digits(out, time.getYear() / 100);
    }
    digits(out, time.getYear() % 100);
    digits(out, time.getMonthValue());
    digits(out, time.getDayOfMonth());
    digits(out, time.getHour());
    digits(out, time.getMinute());
    digits(out, time.getSecond());
    out.put((byte) 'Z');
  }

  private static void digits(ByteBuffer out, int number) {
    out.put((byte) ('0' + number / 10)).put((byte) ('0' + number % 10));
  }
}

package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.TBSCertList;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V2TBSCertListGenerator;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.revocation.RevocationReason;

/** Lists are the same, octet by octet, as Bouncy Castle's generator makes them. */
final class CrlContentTest {

  private static final int CASES = 40;

  /** Seconds from 1900 to 2100. */
  private static final long FIRST = Instant.parse("1900-01-01T00:00:00Z").getEpochSecond();

  private static final long LAST = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();

  private static final Issuer ISSUER = new Issuer(new X500Name("C=SE,CN=Issuing CA"), new byte[20]);

  private static final AlgorithmIdentifier ALGORITHM =
      new DefaultSignatureAlgorithmIdentifierFinder().find("SHA256withECDSA");

  /** With each, lengths take more octets somewhere. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 10, 300, 3_000})
  void aListIsThatOfBouncyCastle(int most) throws Exception {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      RevocationList list = list(random, most == 0 ? 0 : 1 + random.nextInt(most));
      byte[] content = CrlContent.of(ISSUER, ALGORITHM, list);
      TBSCertList expected = generated(list, content);
      assertThat(content).as("seed %d", seed).isEqualTo(expected.getEncoded("DER"));
      byte[] signature = new byte[60 + random.nextInt(200)];
      ASN1EncodableVector whole = new ASN1EncodableVector(3);
      whole.add(expected);
      whole.add(ALGORITHM);
      whole.add(new DERBitString(signature));
      assertThat(CrlContent.whole(content, ALGORITHM, signature))
          .as("seed %d", seed)
          .isEqualTo(new DERSequence(whole).getEncoded("DER"));
    }
  }

  private static RevocationList list(Random random, int count) {
    Instant now = Instant.ofEpochSecond(random.nextLong(FIRST, LAST));
    CrlShard shard = CrlShard.ofServices(new byte[20]);
    return new RevocationList(
        shard,
        List.of(shard.within(URI.create("http://crl.example.org/"))),
        BigInteger.valueOf(1 + random.nextInt(1_000_000)),
        now,
        now.plus(Duration.ofHours(24)),
        IntStream.range(0, count).mapToObj(i -> revocation(random)).toList());
  }

  private static Revocation revocation(Random random) {
    // The service's have 20 octets; 130 take a longer length.
    int bits = random.nextInt(50) == 0 ? 130 * Byte.SIZE : 160;
    RevocationReason[] reasons = RevocationReason.values();
    return new Revocation(
        new BigInteger(1 + random.nextInt(bits), random),
        Instant.ofEpochSecond(random.nextLong(FIRST, LAST), random.nextInt(1_000_000_000)),
        reasons[random.nextInt(reasons.length)]);
  }

  /** The extensions are not in question. */
  private static TBSCertList generated(RevocationList list, byte[] content) {
    V2TBSCertListGenerator generator = new V2TBSCertListGenerator();
    generator.setIssuer(ISSUER.name());
    generator.setSignature(ALGORITHM);
    generator.setThisUpdate(time(list.thisUpdate()));
    generator.setNextUpdate(time(list.nextUpdate()));
    for (Revocation revoked : list.revocations()) {
      ASN1Integer serial = new ASN1Integer(revoked.serial());
      if (revoked.reason() == RevocationReason.UNSPECIFIED) {
        generator.addCRLEntry(serial, time(revoked.at()), (Extensions) null);
      } else {
        generator.addCRLEntry(serial, time(revoked.at()), revoked.reason().code());
      }
    }
    generator.setExtensions(TBSCertList.getInstance(content).getExtensions());
    return generator.generateTBSCertList();
  }

  private static Time time(Instant instant) {
    return new Time(Date.from(instant.truncatedTo(ChronoUnit.SECONDS)), Locale.ROOT);
  }
}

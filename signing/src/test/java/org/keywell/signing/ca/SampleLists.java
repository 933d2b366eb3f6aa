package org.keywell.signing.ca;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.SoftwareCa;

/** Lists of revoked certificates of each kind, signed by each kind of key. */
final class SampleLists {

  /**
   * One list.
   *
   * @param name whose certificates it is about, and the key that signed it
   * @param authorities whether these are CAs
   */
  record Sample(String name, boolean authorities, byte[] crl) {}

  private SampleLists() {}

  static List<Sample> sign() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    List<Sample> samples = new ArrayList<>();
    for (CaKeySpec spec : CaKeySpec.values()) {
      IssuingKey key = SoftwareCa.issuingKey(spec);
      byte[] issuer = CrlShard.issuer(key.chain().getFirst());
      for (CrlShard shard :
          List.of(
              CrlShard.ofSigners(issuer, now),
              CrlShard.ofServices(issuer),
              CrlShard.ofAuthorities(issuer))) {
        for (boolean empty : List.of(true, false)) {
          RevocationList list =
              new RevocationList(
                  shard,
                  List.of(shard.within(SampleCertificates.LISTS)),
                  BigInteger.TEN,
                  now,
                  now.plus(Duration.ofHours(24)),
                  empty ? List.of() : revocations(now));
          samples.add(
              new Sample(
                  "%s-%s-%s".formatted(shard.name(), empty ? "empty" : "all-reasons", spec.label()),
                  shard.isOfAuthorities(),
                  signed(key, list)));
        }
      }
    }
    return samples;
  }

  private static List<Revocation> revocations(Instant now) {
    List<Revocation> all = new ArrayList<>();
    for (RevocationReason reason : RevocationReason.values()) {
      all.add(new Revocation(BigInteger.TWO.shiftLeft(140 + reason.code()), now, reason));
    }
    return all;
  }

  private static byte[] signed(IssuingKey key, RevocationList list) {
    return ((ListAnswer.Signed)
            new BouncyCastleCertificateAuthority(
                    key,
                    SampleProfiles.all(),
                    SigningLimits.defaults(),
                    InstantSource.system(),
                    new SecureRandom())
                .sign(list))
        .crl();
  }
}

package org.keywell.signing.sign;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.cms.DetachedSignedData;
import org.keywell.ca.cms.SignedAttributes;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;

/**
 * The containers of signatures. They are not on record, but their parts are, so a repetition gets
 * the same octets.
 */
public final class Containers {

  private Containers() {}

  /**
   * Returns what the key signs instead of each digest.
   *
   * @param certified when the key was; the signing time, if the container has one
   */
  static List<SignedAttributes> attributes(
      SignRequest request, Container container, IssuedCertificate issued, Instant certified) {
    ProofDigest algorithm = CertificationRequests.digest(request.digestAlgorithm());
    @Nullable Instant signingTime =
        switch (container) {
          case CADES_BASELINE_B -> certified;
          case PADES_BASELINE_B -> null;
        };
    return request.digests().stream()
        .map(digest -> SignedAttributes.of(algorithm, digest, issued.certificate(), signingTime))
        .toList();
  }

  /** Returns one per signature; null if none was requested. */
  public static @Nullable List<byte[]> of(SignRecord record, SignOutcome.Signed signed) {
    if (!(record.form() instanceof SigningForm.Contained)) {
      return null;
    }
    ProofDigest digest = ProofDigest.ofLabel(record.digestAlgorithm());
    ProofScheme scheme = ProofScheme.ofLabel(record.signatureAlgorithm());
    IssuedCertificate issued = signed.issued();
    return IntStream.range(0, signed.signatures().size())
        .mapToObj(i ->
            DetachedSignedData.of(
                new SignedAttributes(digest, signed.signedAttributes().get(i)),
                scheme,
                signed.signatures().get(i),
                issued.certificate(),
                issued.chain()))
        .toList();
  }
}

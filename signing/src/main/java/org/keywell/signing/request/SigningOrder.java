package org.keywell.signing.request;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProofType;
import org.keywell.identity.SubjectParts;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/**
 * What a caller orders, as its entry point has decoded it and before it is checked.
 *
 * @param requestId null: a random one
 * @param digests each as long as the algorithm's; none in two calls, where the second brings them
 * @param keySpec null: RSA-2048
 * @param scheme null: the one that is usual for the key
 * @param profile null: the caller's first one, or the standard one
 * @param signer who signs, on the caller's word; null if not stated
 * @param ticket what an identity provider attests; null if the caller vouches
 * @param deadline from receipt to signature; null: {@code keywell.sign.default-deadline}
 * @param testId names the experiment that the request belongs to (thesis Table 3-2)
 */
public record SigningOrder(
    @Nullable UUID requestId,
    SigningForm form,
    DigestAlgorithm digestAlgorithm,
    List<byte[]> digests,
    @Nullable KeySpec keySpec,
    @Nullable SignatureScheme scheme,
    @Nullable String profile,
    @Nullable SubjectParts signer,
    @Nullable Ticket ticket,
    @Nullable Duration deadline,
    @Nullable String testId) {

  /**
   * @throws IllegalArgumentException if the entry point has not decoded what this record promises
   */
  public SigningOrder {
    digests = List.copyOf(digests);
    int length = digestAlgorithm.lengthBytes();
    if (digests.stream().anyMatch(digest -> digest.length != length)) {
      throw new IllegalArgumentException(
          "a digest is not %d bytes, as %s makes it".formatted(length, digestAlgorithm.label()));
    }
    if (form instanceof SigningForm.InTwoCalls && !digests.isEmpty()) {
      throw new IllegalArgumentException("in two calls, the second brings the digests");
    }
  }

  /**
   * An identity provider's statement about the signer.
   *
   * @param inResponseTo the id of the request to the provider that it answers; null if not stated
   */
  public record Ticket(ProofType type, String value, @Nullable String inResponseTo) {

    /** Without the ticket, which is personal data and works until it is used. */
    @Override
    public String toString() {
      return "Ticket[" + type.label() + "]";
    }
  }
}

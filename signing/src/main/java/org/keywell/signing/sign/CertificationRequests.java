package org.keywell.signing.sign;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofOfPossession.SignedDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.identity.ProvenIdentity;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.request.SignRequest;

/** Converts a signed request for the CA; the two modules do not know each other. */
public final class CertificationRequests {

  private CertificationRequests() {}

  /** Uses the signature over the first digest as the proof of possession. */
  public static CertificationRequest of(SignRequest request, byte[] publicKey, byte[] signature) {
    return of(request, publicKey, signed(request, request.digests().getFirst(), signature));
  }

  /** Pairs the digests that a request's key signed with the signatures. */
  static List<SignedDigest> signed(
      SignRequest request, List<byte[]> digests, List<byte[]> signatures) {
    return IntStream.range(0, digests.size())
        .mapToObj(i -> signed(request, digests.get(i), signatures.get(i)))
        .toList();
  }

  private static SignedDigest signed(SignRequest request, byte[] digest, byte[] signature) {
    return new SignedDigest(
        scheme(request.scheme()), digest(request.digestAlgorithm()), digest, signature);
  }

  /** Uses a proof that was made before any document was signed. */
  static CertificationRequest of(
      SignRequest request, byte[] publicKey, ProofOfPossession possession) {
    return new CertificationRequest(
        publicKey,
        request.subject(),
        possession,
        request.profile(),
        authentication(request.identity()));
  }

  private static @Nullable AuthenticationContext authentication(@Nullable ProvenIdentity proven) {
    return proven == null
        ? null
        : new AuthenticationContext(
            proven.provider(),
            proven.authenticated(),
            proven.levelOfAssurance(),
            proven.reference(),
            proven.attributes().stream()
                .<AuthenticationContext.Mapping>mapMulti(CertificationRequests::addMapping)
                .toList());
  }

  /** Skips what the configuration sets for all signers: no provider attests that. */
  private static void addMapping(
      ProvenIdentity.Attested attested, Consumer<AuthenticationContext.Mapping> mappings) {
    String source = attested.source();
    if (source != null) {
      mappings.accept(
          new AuthenticationContext.Mapping(source, attested.target(), attested.said()));
    }
  }

  static ProofScheme scheme(SignatureScheme scheme) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> ProofScheme.RSASSA_PKCS1_V1_5;
      case RSASSA_PSS -> ProofScheme.RSASSA_PSS;
      case ECDSA -> ProofScheme.ECDSA;
      case ML_DSA_44 -> ProofScheme.ML_DSA_44;
      case ML_DSA_65 -> ProofScheme.ML_DSA_65;
      case ML_DSA_87 -> ProofScheme.ML_DSA_87;
    };
  }

  static ProofDigest digest(DigestAlgorithm algorithm) {
    return switch (algorithm) {
      case SHA_256 -> ProofDigest.SHA_256;
      case SHA_384 -> ProofDigest.SHA_384;
      case SHA_512 -> ProofDigest.SHA_512;
    };
  }
}

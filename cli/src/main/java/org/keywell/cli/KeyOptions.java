package org.keywell.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Digest;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for the one-time key, its certificate and its algorithms. */
final class KeyOptions {
  private static final List<String> KEY_SPECS =
      List.of("RSA-2048", "RSA-3072", "RSA-4096", "EC-P256", "EC-P384");
  private static final List<String> SIGNATURE_ALGORITHMS =
      List.of("RSASSA-PKCS1-v1_5", "RSASSA-PSS", "ECDSA");

  @Option(
      names = "--digest",
      paramLabel = "NAME",
      defaultValue = "SHA-256",
      converter = DigestConverter.class,
      description = "Digest algorithm: SHA-256 (default), SHA-384 or SHA-512.")
  private Digest digest = Digest.SHA_256;

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      converter = KeySpecConverter.class,
      description =
          "One-time key: RSA-2048, RSA-3072, RSA-4096, EC-P256 or EC-P384; default: the service's.")
  private @Nullable String keySpec;

  @Option(
      names = "--signature-algorithm",
      paramLabel = "NAME",
      converter = SignatureAlgorithmConverter.class,
      description = "RSASSA-PKCS1-v1_5, RSASSA-PSS or ECDSA; default: the service's for the key.")
  private @Nullable String signatureAlgorithm;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Certificate profile, such as short-lived; default: the service's.")
  private @Nullable String profile;

  @Option(
      names = "--deadline",
      paramLabel = "MILLIS",
      description = "Give up if the signature takes longer than this.")
  private @Nullable Long deadlineMillis;

  Digest digest() {
    return digest;
  }

  @Nullable String keySpec() {
    return keySpec;
  }

  @Nullable String signatureAlgorithm() {
    return signatureAlgorithm;
  }

  @Nullable String profile() {
    return profile;
  }

  @Nullable Long deadlineMillis() {
    return deadlineMillis;
  }

  static final class DigestConverter implements ITypeConverter<Digest> {
    @Override
    public Digest convert(String label) {
      for (Digest digest : Digest.values()) {
        if (digest.label().equals(label)) {
          return digest;
        }
      }
      throw new TypeConversionException("'" + label + "' is none of " + List.of(Digest.values()));
    }
  }

  static final class KeySpecConverter implements ITypeConverter<String> {
    @Override
    public String convert(String label) {
      return oneOf(KEY_SPECS, label);
    }
  }

  static final class SignatureAlgorithmConverter implements ITypeConverter<String> {
    @Override
    public String convert(String label) {
      return oneOf(SIGNATURE_ALGORITHMS, label);
    }
  }

  private static String oneOf(List<String> known, String label) {
    if (!known.contains(label)) {
      throw new TypeConversionException("'" + label + "' is none of " + known);
    }
    return label;
  }
}

package org.keywell.service.sign;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The JSON body of {@code POST /sign}, not validated yet. */
@Schema(name = "SignRequest")
public record SignRequestBody(
    @Schema(description = "UUID; repeats get the first one's answer", format = "uuid")
        @Nullable String requestId,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            allowableValues = {"SHA-256", "SHA-384", "SHA-512"})
        @Nullable String digestAlgorithm,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            description = "the document's digest, base64",
            format = "byte")
        @Nullable String digest,
    @Schema(
            description = "default: RSASSA-PKCS1-v1_5 for RSA keys, ECDSA for EC keys",
            allowableValues = {"RSASSA-PKCS1-v1_5", "RSASSA-PSS", "ECDSA"})
        @Nullable String signatureAlgorithm,
    @Schema(
            description = "default: RSA-2048",
            allowableValues = {"RSA-2048", "RSA-3072", "RSA-4096", "EC-P256", "EC-P384"})
        @Nullable String keySpec,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Signer signer,
    @Schema(description = "from receipt to signature, in milliseconds", example = "3000")
        @Nullable Long deadlineMillis) {

  /** The citizen who signs: the subject of the certificate. */
  public record Signer(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED, maxLength = 64)
          @Nullable String commonName,
      @Schema(maxLength = 64) @Nullable String givenName,
      @Schema(maxLength = 64) @Nullable String surname,
      @Schema(
              maxLength = 64,
              description = "semantic identifier of ETSI EN 319 412-1",
              example = "PNOSE-197001011234")
          @Nullable String serialNumber,
      @Schema(maxLength = 64) @Nullable String organization,
      @Schema(maxLength = 64) @Nullable String organizationalUnit,
      @Schema(description = "ISO 3166-1 alpha-2", example = "SE") @Nullable String country) {}
}

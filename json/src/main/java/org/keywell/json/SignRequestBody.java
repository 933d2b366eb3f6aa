package org.keywell.json;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON body of {@code POST /sign}, not validated yet. */
@Schema(
    name = "SignRequest",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
    description = "Unknown fields are rejected")
public record SignRequestBody(
    @Schema(
            description = "UUID, the idempotency key: a repeated request gets the first answer",
            format = "uuid",
            pattern = SignRequestBody.UUID)
        @Nullable String requestId,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            allowableValues = {"SHA-256", "SHA-384", "SHA-512"})
        @Nullable String digestAlgorithm,
    @Schema(
            description =
                "the document's digest, of its algorithm's length, in canonical base64 (RFC 4648,"
                    + " sections 4 and 3.5); send either this or digests, not both",
            format = "byte",
            minLength = 44,
            maxLength = 88,
            pattern = SignRequestBody.DIGEST)
        @Nullable String digest,
    @ArraySchema(
            minItems = 1,
            arraySchema =
                @Schema(
                    description =
                        "the digests of several documents, instead of digest: one key signs all of"
                            + " them under one certificate, or none is signed"),
            schema =
                @Schema(
                    format = "byte",
                    minLength = 44,
                    maxLength = 88,
                    pattern = SignRequestBody.DIGEST))
        @Nullable List<@Nullable String> digests,
    @Schema(
            description =
                "wraps each signature in a detached CMS whose signed attributes name the signer's"
                    + " certificate; default: no container, the digests themselves are signed",
            allowableValues = {"CAdES-BASELINE-B", "PAdES-BASELINE-B"})
        @Nullable String container,
    @Schema(
            description =
                "default: RSASSA-PKCS1-v1_5 for RSA keys, ECDSA for EC keys, the key's own ML-DSA",
            allowableValues = {
              "RSASSA-PKCS1-v1_5",
              "RSASSA-PSS",
              "ECDSA",
              "ML-DSA-44",
              "ML-DSA-65",
              "ML-DSA-87"
            })
        @Nullable String signatureAlgorithm,
    @Schema(
            description =
                "default: RSA-2048; it must have a pool, see GET /pool; ML-DSA keys sign containers"
                    + " only",
            allowableValues = {
              "RSA-2048",
              "RSA-3072",
              "RSA-4096",
              "EC-P256",
              "EC-P384",
              "ML-DSA-44",
              "ML-DSA-65",
              "ML-DSA-87"
            })
        @Nullable String keySpec,
    @Schema(
            description = "certificate profile; default: the caller's first, or standard",
            minLength = 1,
            maxLength = 63,
            pattern = "^[a-z0-9][a-z0-9._-]{0,62}$",
            example = "standard")
        @Nullable String profile,
    @Schema(
            description =
                "required if the caller vouches for the signer and sends no identityProof")
        @Nullable Signer signer,
    @Schema(
            description =
                "required of callers that do not vouch for signers; as in any field, null means"
                    + " missing")
        @Nullable IdentityProof identityProof,
    @Schema(
            description = "from receipt to signature, in milliseconds",
            example = "3000",
            minimum = "1")
        @Nullable Long deadlineMillis)
    implements MessageBody {

  /** As {@link SignRequestParser#uuid} requires. */
  public static final String UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

  /** 32, 48 or 64 bytes in canonical base64. */
  public static final String DIGEST =
      "^([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{85}[AQgw]==)$";

  /** The citizen who signs: the subject of the certificate. */
  @Schema(
      additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
      description = "Attributes must not be blank or contain control characters")
  public record Signer(
      @Schema(
              minLength = 1,
              maxLength = 64,
              description = "required unless the identityProof contains it")
          @Nullable String commonName,
      @Schema(minLength = 1, maxLength = 64) @Nullable String givenName,
      @Schema(minLength = 1, maxLength = 64) @Nullable String surname,
      @Schema(
              minLength = 1,
              maxLength = 64,
              description = "semantics identifier as in ETSI EN 319 412-1",
              pattern = "^(PAS|IDC|PNO|TAX|TIN|[A-Z]{2}:)[A-Z]{2}-[A-Za-z0-9'()+,\\-./:=?]+$",
              example = "PNOSE-197001011234")
          @Nullable String serialNumber,
      @Schema(minLength = 1, maxLength = 64) @Nullable String organization,
      @Schema(minLength = 1, maxLength = 64) @Nullable String organizationalUnit,
      @Schema(description = "ISO 3166-1 alpha-2", pattern = "^[A-Z]{2}$", example = "SE")
          @Nullable String country) {}

  /** The identity provider's ticket, which says who the signer is. */
  @Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
  public record IdentityProof(
      @Schema(
              requiredMode = Schema.RequiredMode.REQUIRED,
              allowableValues = {"jwt", "saml"})
          @Nullable String type,
      @Schema(
              requiredMode = Schema.RequiredMode.REQUIRED,
              minLength = 1,
              description =
                  "jwt: a signed token in compact form (RFC 7515, section 7.1); saml: the"
                      + " assertion, or the response that contains it, as XML in base64")
          @Nullable String value,
      @Schema(
              minLength = 1,
              maxLength = 256,
              description = "required with saml: the ID of the AuthnRequest that was answered")
          @Nullable String inResponseTo) {

    /** Hides the ticket: its bearer can use it. */
    @Override
    public String toString() {
      return "IdentityProof[type=" + type + "]";
    }
  }
}

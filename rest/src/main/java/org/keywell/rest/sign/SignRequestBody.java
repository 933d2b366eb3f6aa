package org.keywell.rest.sign;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON body of {@code POST /sign}, not validated yet. */
@Schema(
    name = "SignRequest",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
    description = "What is not named here is refused")
public record SignRequestBody(
    @Schema(
            description = "UUID; repeats get the first one's answer",
            format = "uuid",
            pattern = SignRequestBody.UUID)
        @Nullable String requestId,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            allowableValues = {"SHA-256", "SHA-384", "SHA-512"})
        @Nullable String digestAlgorithm,
    @Schema(
            description =
                "the document's digest, as long as its algorithm makes it; base64 of RFC 4648,"
                    + " section 4, canonical (section 3.5); either this or digests, never both",
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
                        "the digests of all documents, in place of digest, never beside it: signed with one key"
                            + " under one certificate, or none of them is"),
            schema =
                @Schema(
                    format = "byte",
                    minLength = 44,
                    maxLength = 88,
                    pattern = SignRequestBody.DIGEST))
        @Nullable List<@Nullable String> digests,
    @Schema(
            description =
                "what each signature is put into: a detached CMS whose signed attributes name the"
                    + " signer's certificate; default: nothing, the digests themselves are signed",
            allowableValues = {"CAdES-BASELINE-B", "PAdES-BASELINE-B"})
        @Nullable String container,
    @Schema(
            description = "default: RSASSA-PKCS1-v1_5 for RSA keys, ECDSA for EC keys",
            allowableValues = {"RSASSA-PKCS1-v1_5", "RSASSA-PSS", "ECDSA"})
        @Nullable String signatureAlgorithm,
    @Schema(
            description = "default: RSA-2048; it has to have a pool, see GET /pool",
            allowableValues = {"RSA-2048", "RSA-3072", "RSA-4096", "EC-P256", "EC-P384"})
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
                "required where the caller vouches for the signer and sends no identityProof")
        @Nullable Signer signer,
    @Schema(
            description =
                "required of callers that do not vouch for signers themselves; null is none, as for"
                    + " each field")
        @Nullable IdentityProof identityProof,
    @Schema(
            description = "from receipt to signature, in milliseconds",
            example = "3000",
            minimum = "1")
        @Nullable Long deadlineMillis) {

  /** As {@link SignRequestParser#uuid} requires. */
  public static final String UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

  /** 32, 48 or 64 bytes in canonical base64. */
  public static final String DIGEST =
      "^([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{85}[AQgw]==)$";

  /** The citizen who signs: the subject of the certificate. */
  @Schema(
      additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
      description = "No attribute may be blank or hold control characters")
  public record Signer(
      @Schema(
              minLength = 1,
              maxLength = 64,
              description = "required, unless an identityProof has it")
          @Nullable String commonName,
      @Schema(minLength = 1, maxLength = 64) @Nullable String givenName,
      @Schema(minLength = 1, maxLength = 64) @Nullable String surname,
      @Schema(
              minLength = 1,
              maxLength = 64,
              description = "semantic identifier of ETSI EN 319 412-1",
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
                  "jwt: a signed token in its compact form (RFC 7515, section 7.1); saml: the"
                      + " assertion or the response that has it, as XML in base64")
          @Nullable String value,
      @Schema(
              minLength = 1,
              maxLength = 256,
              description = "required with saml: the ID of the AuthnRequest that it answers")
          @Nullable String inResponseTo) {

    /** Hides the ticket: its bearer can use it. */
    @Override
    public String toString() {
      return "IdentityProof[type=" + type + "]";
    }
  }
}

package org.keywell.json;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The JSON body of {@code POST /acts}, not validated yet. */
@Schema(
    name = "ActRequest",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
    description = "Unknown fields are rejected")
public record ActRequestBody(
    @Schema(
            description = "UUID, the idempotency key: a repeated request gets the same act",
            format = "uuid",
            pattern = SignRequestBody.UUID)
        @Nullable String actId,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            allowableValues = {"SHA-256", "SHA-384", "SHA-512"})
        @Nullable String digestAlgorithm,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            description = "number of digests in the second call",
            minimum = "1",
            example = "1")
        @Nullable Integer digestCount,
    @Schema(
            description = "default: RSASSA-PKCS1-v1_5 for RSA keys, ECDSA for EC keys",
            allowableValues = {"RSASSA-PKCS1-v1_5", "RSASSA-PSS", "ECDSA"})
        @Nullable String signatureAlgorithm,
    @Schema(
            description = "default: RSA-2048; it must have a pool, see GET /pool",
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
                "required if the caller vouches for the signer and sends no identityProof")
        SignRequestBody.@Nullable Signer signer,
    @Schema(description = "required of callers that do not vouch for signers")
        SignRequestBody.@Nullable IdentityProof identityProof,
    @Schema(
            description = "how long the act stays open before its key is destroyed",
            example = "60",
            minimum = "1")
        @Nullable Integer timeToLiveSeconds,
    @Schema(
            description = "from receipt of this call to the certificate, in milliseconds",
            example = "3000",
            minimum = "1")
        @Nullable Long deadlineMillis)
    implements MessageBody {}

package org.keywell.json;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The JSON body of {@code POST /ca/revocations}, not validated yet. */
@Schema(
    name = "RevocationRequest",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
    description =
        "Send one of requestId, serial, signerCommitment and certificate. Unknown fields are"
            + " rejected")
public record RevocationBody(
    @Schema(
            description = "of the request or the act that the certificate was issued for",
            format = "uuid",
            pattern = SignRequestBody.UUID)
        @Nullable String requestId,
    @Schema(
            description = "the serial number of a signer's certificate, in hexadecimal digits",
            pattern = RevocationBody.SERIAL)
        @Nullable String serial,
    @Schema(
            description = "as the log has it for the request: 'signer', in hexadecimal digits",
            pattern = RevocationBody.COMMITMENT)
        @Nullable String signerCommitment,
    @Schema(
            description = "DER; for certificates that are on no record, such as a TLS server's",
            format = "byte",
            maxLength = RevocationBody.MOST_CHARACTERS)
        @Nullable String certificate,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            description = "as in RFC 5280, section 5.3.1",
            allowableValues = {
              "unspecified",
              "keyCompromise",
              "affiliationChanged",
              "superseded",
              "cessationOfOperation",
              "privilegeWithdrawn"
            })
        @Nullable String reason) {

  public static final String SERIAL = "^[0-9A-Fa-f]{1,40}$";

  /** A SHA-256. */
  public static final String COMMITMENT = "^[0-9A-Fa-f]{64}$";

  /** More than any certificate that this CA issues has. */
  public static final int MOST_CHARACTERS = 16_384;
}

package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /sign}. What is null is left to the service's defaults.
 *
 * @param requestId a UUID; sending the same one again gets the first one's result, never a second
 *     signature
 * @param digestAlgorithm such as {@code SHA-256}
 * @param digest the digest of what is signed, base64 in JSON
 * @param signatureAlgorithm such as {@code RSASSA-PSS}
 * @param keySpec such as {@code RSA-2048}
 * @param profile the certificate's, such as {@code short-lived}
 * @param deadlineMillis how long the answer is of use, in milliseconds from its arrival at the
 *     service
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SignRequest(
    @Nullable String requestId,
    String digestAlgorithm,
    byte[] digest,
    @Nullable String signatureAlgorithm,
    @Nullable String keySpec,
    @Nullable String profile,
    Signer signer,
    @Nullable Long deadlineMillis) {}

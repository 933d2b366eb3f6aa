package org.keywell.kmip.message;

import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Value;

/**
 * The header of a request.
 *
 * @param version a supported one
 * @param maximumResponseSize in bytes; null if the client names none
 * @param clientCorrelationValue for logs; null before KMIP 1.4 or if the client names none
 * @param attestationCapable whether the client could attest its state
 * @param authentication credentials as sent, unread and unverified; may hold a password. Null if
 *     the connection alone says who calls
 * @param continuesOnError whether operations go on after one of them has failed; else those after
 *     it are neither done nor answered
 * @param timeStamp seconds since 1970 by the client's clock; null if it names none
 */
public record RequestHeader(
    ProtocolVersion version,
    @Nullable Integer maximumResponseSize,
    @Nullable String clientCorrelationValue,
    boolean attestationCapable,
    Value.@Nullable Structure authentication,
    boolean continuesOnError,
    @Nullable Long timeStamp) {}

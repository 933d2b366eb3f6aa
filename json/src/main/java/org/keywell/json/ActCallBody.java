package org.keywell.json;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON body of an act's second call, where no address names act and call. Not validated yet.
 *
 * @param digests what the act signs; null: it is cancelled
 * @param cancel true: the act ends without a signature
 */
public record ActCallBody(
    @Nullable String actId, @Nullable List<@Nullable String> digests, @Nullable Boolean cancel)
    implements MessageBody {}

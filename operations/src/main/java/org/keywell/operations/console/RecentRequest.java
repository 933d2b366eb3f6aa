package org.keywell.operations.console;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that ended a while ago. Has no personal data beyond its id.
 *
 * @param number how many ended before it since the start
 * @param endedNanos by the elapsed-time clock
 * @param outcome {@code signed}, {@code expired}, {@code cancelled}, or the label of its failure
 * @param preGenerated whether its key was generated in advance; null if it had none
 * @param totalMicros from receipt until the outcome was durable
 */
record RecentRequest(
    long number,
    UUID id,
    long endedNanos,
    String outcome,
    @Nullable Boolean preGenerated,
    long totalMicros,
    StageTimes stages) {}

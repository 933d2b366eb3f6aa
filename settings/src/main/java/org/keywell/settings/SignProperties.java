package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code keywell.sign.*}.
 *
 * @param handlerThreads threads that sign, 1 to 50; one as in the thesis
 * @param queueLimit requests that may wait, 1 to 100,000; the thesis's limit is 150
 * @param defaultDeadline time from receipt to signature if the request names none
 * @param maxDeadline the longest deadline that a request may name
 * @param maxBody largest request body; an identity provider's ticket is its largest part
 * @param maxDigests digests that one act may sign, 1 to 100
 * @param acceptLookAlikeNames whether signers' names may have compatibility characters, or words of
 *     mixed scripts
 */
public record SignProperties(
    @DefaultValue("1") int handlerThreads,
    @DefaultValue("150") int queueLimit,
    @DefaultValue("3s") Duration defaultDeadline,
    @DefaultValue("60s") Duration maxDeadline,
    @DefaultValue("32KB") DataSize maxBody,
    @DefaultValue("10") int maxDigests,
    @DefaultValue("false") boolean acceptLookAlikeNames) {

  public SignProperties {
    require("keywell.sign.handler-threads", handlerThreads, 1, 50);
    require("keywell.sign.queue-limit", queueLimit, 1, 100_000);
    require(maxDeadline.isPositive(), "keywell.sign.max-deadline", maxDeadline, "more than 0");
    require(
        defaultDeadline.isPositive() && defaultDeadline.compareTo(maxDeadline) <= 0,
        "keywell.sign.default-deadline",
        defaultDeadline,
        "more than 0 and at most max-deadline");
    require(
        maxBody.toBytes() >= 1024 && maxBody.toBytes() <= 1 << 20,
        "keywell.sign.max-body",
        maxBody,
        "1KB-1MB");
    require("keywell.sign.max-digests", maxDigests, 1, 100);
  }
}

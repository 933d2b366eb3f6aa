package org.keywell.settings;

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
    require(handlerThreads >= 1 && handlerThreads <= 50, "handler-threads", handlerThreads, "1-50");
    require(queueLimit >= 1 && queueLimit <= 100_000, "queue-limit", queueLimit, "1-100000");
    require(maxDeadline.isPositive(), "max-deadline", maxDeadline, "more than 0");
    require(
        defaultDeadline.isPositive() && defaultDeadline.compareTo(maxDeadline) <= 0,
        "default-deadline",
        defaultDeadline,
        "more than 0 and at most max-deadline");
    require(
        maxBody.toBytes() >= 1024 && maxBody.toBytes() <= 1 << 20, "max-body", maxBody, "1KB-1MB");
    require(maxDigests >= 1 && maxDigests <= 100, "max-digests", maxDigests, "1-100");
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(
          "keywell.sign." + name + " is " + value + ", expected " + expected);
    }
  }
}

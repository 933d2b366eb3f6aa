package org.keywell.jms;

import java.time.Duration;
import java.time.Instant;

/**
 * Which messages of a queue this instance takes, as selectors. Only the instance that has an act's
 * key can sign with it, so a sender names that one in a property. It is a hint: once changed, it
 * has the message answered by an instance that does not have the act.
 *
 * @param instance this one's name
 * @param longestAct after which an act has ended, and any instance can answer for it
 */
public record Turn(String instance, Duration longestAct) {

  private static final String PROPERTY = "KeywellInstance";

  /** How long a selector is used: what others have left is taken this much later. */
  Duration selection() {
    return longestAct.dividedBy(5);
  }

  /** Those for this instance alone. */
  String own() {
    return "%s = '%s'".formatted(PROPERTY, instance);
  }

  /** Those for any instance, for this one, and, by their time, for one that may have vanished. */
  String any(Instant now) {
    long low = now.minus(longestAct).toEpochMilli();
    return "%s IS NULL OR %s OR JMSTimestamp NOT BETWEEN %s AND %s"
        .formatted(PROPERTY, own(), low, now.plus(longestAct).toEpochMilli());
  }
}

package org.keywell.protection;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a message says about itself, under the same protection as its body.
 *
 * @param id unique for the sender: 1 to 200 visible ASCII characters except angle brackets
 * @param date when it was made; in the years 0001 to 9999
 * @param to the queue that it is meant for; 1 to 200 visible ASCII characters, as are the next two
 * @param replyTo the queue for the answer; null if none is expected
 * @param inReplyTo the id of the message that this one answers; null if it answers none
 */
public record Header(
    String id, Instant date, String to, @Nullable String replyTo, @Nullable String inReplyTo) {

  private static final Pattern ID = Pattern.compile("[!-;=?-~]{1,200}");
  private static final Pattern QUEUE = Pattern.compile("[!-~]{1,200}");
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /**
   * Checks each part.
   *
   * @throws IllegalArgumentException if one is outside its range
   */
  public Header {
    require(ID, id, "id");
    require(QUEUE, to, "to");
    if (replyTo != null) {
      require(QUEUE, replyTo, "replyTo");
    }
    if (inReplyTo != null) {
      require(ID, inReplyTo, "inReplyTo");
    }
    if (date.isBefore(FIRST) || !date.isBefore(END)) {
      throw new IllegalArgumentException("date is not in the years 0001 to 9999");
    }
  }

  private static void require(Pattern pattern, String value, String name) {
    if (!pattern.matcher(value).matches()) {
      throw new IllegalArgumentException(name + " is not 1 to 200 of its characters");
    }
  }
}

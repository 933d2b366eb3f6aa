package org.keywell.loadgen.messages;

import java.util.List;
import org.keywell.loadgen.text.Resource;

/**
 * A published ratio of round trips: S. Massey, "AMS and SSL/TLS Performance on the IBM MQ
 * Appliance", two machines of 24 cores beside the appliance.
 *
 * @param published in words; "–" if nothing is published
 */
record PublishedRatio(Layout layout, Guard of, Guard to, String published) {
  private static final String TABLE = "/org/keywell/loadgen/messages/published-ratios.csv";

  /** Returns all of them. */
  static List<PublishedRatio> all() {
    return Resource.text(TABLE).lines().skip(1).map(PublishedRatio::of).toList();
  }

  private static PublishedRatio of(String line) {
    String[] cells = line.split(",", -1);
    return new PublishedRatio(
        Layout.valueOf(cells[0]), Guard.valueOf(cells[1]), Guard.valueOf(cells[2]), cells[3]);
  }
}

package org.keywell.kmip.message;

import org.keywell.kmip.ttlv.TtlvLimits;

/**
 * Limits of messages, beside those of their encoding.
 *
 * @param batchItems how many operations a request may have; 1 to 10,000
 * @param responseBytes the length of a response, unless the client accepts less; 512 to 64 MiB
 */
public record MessageLimits(int batchItems, int responseBytes) {

  /** 100 operations, 4 MiB. */
  public static final MessageLimits STANDARD = new MessageLimits(100, 4 << 20);

  public MessageLimits {
    TtlvLimits.require("batchItems", batchItems, 1, 10_000);
    TtlvLimits.require("responseBytes", responseBytes, 512, 64 << 20);
  }
}

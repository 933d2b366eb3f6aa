package org.keywell.service.caller;

import java.util.Locale;

/** What a caller may do. There is no order among them: one does not include another. */
public enum Role {
  /** Ask for signatures, and read the results of one's own requests. */
  SIGN,
  /** Read the results of all callers' requests. */
  READ,
  /** Watch the service at work: console, its events, API pages. */
  OPERATE,
  /** Ask for health, metrics and pool depth; no request and no result can be told from them. */
  OBSERVE;

  /** The name in files and messages, such as {@code sign}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

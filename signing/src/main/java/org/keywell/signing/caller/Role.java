package org.keywell.signing.caller;

import java.util.Locale;

/** What a caller may do. Roles have no order: none includes another. */
public enum Role {
  /** Request signatures, and read the results of one's own requests. */
  SIGN,
  /** Read the results of all callers' requests. */
  READ,
  /** Monitor the service: console, its events, API pages. */
  OPERATE,
  /** Read health, metrics and pool depth, which reveal no request and no result. */
  OBSERVE,
  /** Create managed keys over KMIP, and use one's own. */
  MANAGE,
  /** Get one's own managed keys wrapped under another key. */
  EXPORT,
  /** Have time stamps made. */
  STAMP;

  /** Returns the name in files and messages, such as {@code sign}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package org.keywell.jms;

import java.util.Locale;

/** Why a message is no request of a caller, so that it goes to the dead-letter queue. */
enum Fault {
  /** The broker names no sender, or one that is no caller. */
  CALLER_UNKNOWN,
  /** It says nowhere to answer to. */
  REPLY_MISSING,
  /** It names a queue to answer to that is not its sender's. */
  REPLY_NOT_ALLOWED,
  /** Neither text nor bytes. */
  WRONG_TYPE,
  BODY_TOO_LARGE,
  MALFORMED_JSON,
  /** Its answer found no queue, or may not be sent there. */
  REPLY_FAILED,
  /** Working on it failed repeatedly, by a defect. */
  INTERNAL;

  /** Returns the name in messages and logs, such as {@code caller-unknown}. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

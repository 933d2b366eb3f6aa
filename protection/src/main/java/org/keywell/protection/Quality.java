package org.keywell.protection;

/** How a message is protected between the two that it is meant for. */
public enum Quality {
  /** Not at all: the message is its body. */
  NONE,
  /** Signed by the sender; anyone on the way can read it. */
  INTEGRITY,
  /** Signed by the sender, then encrypted for one recipient under a key of its own. */
  PRIVACY,
  /**
   * Encrypted for one recipient under a key that several messages share. Says nothing about the
   * sender: anyone who has the recipient's certificate can make such a message.
   */
  CONFIDENTIALITY
}

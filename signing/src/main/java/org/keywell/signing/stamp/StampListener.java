package org.keywell.signing.stamp;

import org.keywell.ca.timestamp.StampAnswer;

/** Is told of each answer to a request for a time stamp. Thread-safe. */
@FunctionalInterface
public interface StampListener {

  void answered(StampAnswer answer);
}

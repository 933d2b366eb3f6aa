package org.keywell.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.util.Optional;
import java.util.regex.Pattern;
import org.keywell.signing.caller.Caller;

/**
 * Which queues a caller's answers may go to. The sender names one, and the answer is sent with the
 * rights of this service: without a rule, a sender could have it write where the sender may not.
 *
 * <p>Allowed are the queue that is named by the prefix and the caller's name, and temporary queues.
 * None below the former is: a caller's name may have dots, and be the beginning of another's. A
 * message only claims that a queue is temporary, so what counts is its name: a UUID, which nobody
 * else can guess.
 */
final class ReplyRule {

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final String prefix;

  ReplyRule(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the queue's name; empty if the caller's answers must not go there. */
  Optional<String> allowed(Destination named, Caller caller) throws JMSException {
    if (!(named instanceof Queue queue) || queue.getQueueName() == null) {
      return Optional.empty();
    }
    String name = queue.getQueueName();
    return isAllowed(name, caller) ? Optional.of(name) : Optional.empty();
  }

  /** Whether the caller's answers may go to the queue of this name. */
  boolean isAllowed(String name, Caller caller) {
    return name.equals(prefix + caller.name()) || UUID.matcher(name).matches();
  }
}

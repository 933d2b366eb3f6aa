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
 * <p>Allowed are the queue that is named by the prefix and the caller's name, those below it, and
 * temporary queues. A message only claims that a queue is temporary, so what counts is its name: a
 * UUID, which nobody else can guess.
 */
final class ReplyRule {

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Nothing that a broker reads as a parameter or as another queue's qualified name. */
  private static final Pattern BELOW = Pattern.compile("(\\.[A-Za-z0-9_-]{1,64}){0,4}");

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
    String own = prefix + caller.name();
    boolean allowed =
        UUID.matcher(name).matches()
            || (name.startsWith(own) && BELOW.matcher(name.substring(own.length())).matches());
    return allowed ? Optional.of(name) : Optional.empty();
  }
}

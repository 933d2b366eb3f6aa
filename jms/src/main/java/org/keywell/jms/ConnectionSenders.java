package org.keywell.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.caller.Caller;

/** Senders by the word of the broker, with which they have logged in. Thread-safe. */
final class ConnectionSenders {

  /** The property by which the broker states the sender, whatever the sender wrote there. */
  static final String SENDER = "JMSXUserID";

  /**
   * Marks a message that came over AMQP. Of those the broker states no sender, whatever its
   * settings: the property above has what the sender wrote into it. The few forms of body that are
   * not marked are no JSON.
   */
  private static final String CAME_OVER_AMQP = "JMS_AMQP_ORIGINAL_ENCODING";

  private final Function<String, Optional<Caller>> callers;

  /**
   * @param callers finds the caller that sends as a user of the broker
   */
  ConnectionSenders(Function<String, Optional<Caller>> callers) {
    this.callers = callers;
  }

  Sender of(Message message) throws JMSException {
    if (message.propertyExists(CAME_OVER_AMQP)) {
      return nobody(null, "it came over AMQP, and the broker does not state who sent it");
    }
    @Nullable String name = message.getStringProperty(SENDER);
    if (name == null) {
      return nobody(null, "the broker does not state who sent it");
    }
    return callers
        .apply(name)
        .<Sender>map(caller -> new Sender.Known(name, caller))
        .orElseGet(
            () -> nobody(name, "its sender is no broker-user in keywell.security.callers-file"));
  }

  /** Returns the user as whom a message was sent; null if the broker does not state it. */
  static @Nullable String nameIn(Message message) throws JMSException {
    return message.propertyExists(CAME_OVER_AMQP) ? null : message.getStringProperty(SENDER);
  }

  private static Sender nobody(@Nullable String name, String detail) {
    return new Sender.None(new Incoming.Poison(Fault.CALLER_UNKNOWN, name, detail, null));
  }
}

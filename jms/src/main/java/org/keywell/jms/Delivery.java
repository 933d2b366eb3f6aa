package org.keywell.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.zip.DataFormatException;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQBytesMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQTextMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message as the broker delivered it.
 *
 * @param unread why its body must not be read; null: it may
 */
record Delivery(Message message, @Nullable Unread unread) {

  /**
   * A body that nothing looks at.
   *
   * @param isHere whether it was fetched; otherwise it is still at the broker
   */
  record Unread(Fault fault, String detail, boolean isHere) {}

  /**
   * Turns what the broker's client received into a message. Nothing larger than the limit is
   * fetched or unpacked, and of other types than text and bytes, nothing is decoded.
   *
   * @param maxBytes of the body, compressed and not
   */
  static Delivery of(ClientMessage message, int maxBytes) throws ActiveMQException, JMSException {
    boolean isPacked = Packing.unmark(message);
    long size =
        message instanceof ClientLargeMessageImpl large
            ? large.getLargeMessageSize()
            : message.getBodySize();
    if (size > maxBytes) {
      return tooLarge(message, "%s bytes on the wire".formatted(size), maxBytes, false);
    }
    message.checkCompletion();
    if (message.isLargeMessage()) {
      // The sender's claim, which need not be true.
      message.putLongProperty(
          org.apache.activemq.artemis.api.core.Message.HDR_LARGE_BODY_SIZE, size);
    }
    if (isPacked) {
      try {
        byte[] body = Packing.unpack(bytes(message), maxBytes);
        if (body.length > maxBytes) {
          return tooLarge(message, "unpacked", maxBytes, true);
        }
        replace(message, body);
      } catch (DataFormatException e) {
        return unread(message, Fault.MALFORMED, "its body cannot be unpacked");
      }
    }
    byte type = message.getType();
    if (type != ActiveMQTextMessage.TYPE && type != ActiveMQBytesMessage.TYPE) {
      return unread(message, Fault.WRONG_TYPE, "the message has neither text nor bytes");
    }
    ActiveMQMessage readable = ActiveMQMessage.createMessage(message, null);
    try {
      readable.doBeforeReceive();
    } catch (RuntimeException e) {
      return unread(message, Fault.MALFORMED, "its body is not a text");
    }
    return new Delivery(readable, null);
  }

  /** Turns a message at which the process ended repeatedly into one that nothing looks at. */
  static Delivery setAside(ClientMessage message) {
    boolean _ = Packing.unmark(message);
    return new Delivery(
        opaque(message),
        new Unread(
            Fault.PROCESS_ENDED,
            "the service ended repeatedly while it worked on the message",
            !message.isLargeMessage()));
  }

  private static byte[] bytes(ClientMessage message) {
    ActiveMQBuffer body = message.getBodyBuffer();
    byte[] bytes = new byte[body.readableBytes()];
    body.readBytes(bytes);
    return bytes;
  }

  private static void replace(ClientMessage message, byte[] unpacked) {
    ActiveMQBuffer body = message.getBodyBuffer();
    body.clear();
    body.writeBytes(unpacked);
    if (message.isLargeMessage()) {
      message.putLongProperty(
          org.apache.activemq.artemis.api.core.Message.HDR_LARGE_BODY_SIZE, unpacked.length);
    }
  }

  private static Delivery tooLarge(
      ClientMessage message, String size, int maxBytes, boolean isHere) {
    return new Delivery(
        opaque(message),
        new Unread(
            Fault.BODY_TOO_LARGE,
            "the body is larger than %s bytes, twice keywell.sign.max-body and 64 KiB: %s"
                .formatted(maxBytes, size),
            isHere));
  }

  private static Delivery unread(ClientMessage message, Fault fault, String detail) {
    return new Delivery(opaque(message), new Unread(fault, detail, true));
  }

  /** As bytes, which nobody decodes: neither this service nor who reads the dead letters. */
  private static ActiveMQMessage opaque(ClientMessage message) {
    message.setType(ActiveMQBytesMessage.TYPE);
    return ActiveMQMessage.createMessage(message, null);
  }
}

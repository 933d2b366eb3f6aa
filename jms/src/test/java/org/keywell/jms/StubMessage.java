package org.keywell.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message as a broker would deliver it; only what is read of one can be asked for. */
final class StubMessage {

  private final Map<String, @Nullable Object> answers = new HashMap<>();
  private byte[] bytes = {};

  /** Of this user, with a reply address of the user's own. */
  static StubMessage of(@Nullable String user) {
    return new StubMessage()
        .with("propertyExists", false)
        .with("getStringProperty", user)
        .replyTo("keywell.replies.portal")
        .with("getJMSCorrelationID", null)
        .with("getJMSMessageID", "ID:1")
        .with("getJMSPriority", 4);
  }

  StubMessage with(String method, @Nullable Object answer) {
    answers.put(method, answer);
    return this;
  }

  StubMessage replyTo(@Nullable String queue) {
    return with("getJMSReplyTo", queue == null ? null : queue(queue));
  }

  static Queue queue(String name) {
    return new StubMessage().with("getQueueName", name).as(Queue.class);
  }

  TextMessage text(@Nullable String body) {
    return with("getText", body).as(TextMessage.class);
  }

  BytesMessage bytes(String body) {
    bytes = body.getBytes(StandardCharsets.UTF_8);
    return with("getBodyLength", (long) bytes.length).as(BytesMessage.class);
  }

  Message map() {
    return as(MapMessage.class);
  }

  <T> T as(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            StubMessage.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals("readBytes")) {
                System.arraycopy(bytes, 0, (byte[]) arguments[0], 0, bytes.length);
                return bytes.length;
              }
              if (!answers.containsKey(method.getName())) {
                throw new AssertionError("nobody reads " + method.getName());
              }
              return answers.get(method.getName());
            }));
  }
}

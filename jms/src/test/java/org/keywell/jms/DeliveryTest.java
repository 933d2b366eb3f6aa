package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.DeflaterOutputStream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageImpl;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeliveryTest {

  private static final int LIMIT = 1_000;

  private static ClientMessageImpl message(byte type, byte[] body) {
    ClientMessageImpl message = new ClientMessageImpl(type, true, 0, 0, (byte) 4, body.length);
    message.getBodyBuffer().writeBytes(body);
    return message;
  }

  /** A text as the broker's client writes one. */
  private static byte[] text(String text) {
    ClientMessageImpl message = message(Message.TEXT_TYPE, new byte[0]);
    message.getBodyBuffer().writeNullableSimpleString(SimpleString.of(text));
    byte[] body = new byte[message.getBodyBuffer().readableBytes()];
    message.getBodyBuffer().readBytes(body);
    return body;
  }

  private static byte[] packed(byte[] body) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(packed)) {
      deflater.write(body);
    }
    return packed.toByteArray();
  }

  /** As the client gets it from the broker. */
  private static Delivery received(ClientMessageImpl message) throws Exception {
    Packing.mark(message);
    assertThat(message.containsProperty(Message.HDR_LARGE_COMPRESSED)).isFalse();
    return Delivery.of(message, LIMIT);
  }

  private static ClientMessageImpl compressed(byte type, byte[] body) throws Exception {
    ClientMessageImpl message = message(type, body);
    message.putBooleanProperty(Message.HDR_LARGE_COMPRESSED, true);
    return message;
  }

  private static void assertUnread(Delivery delivery, Fault fault, boolean isHere) {
    Delivery.Unread unread = Objects.requireNonNull(delivery.unread());
    assertThat(unread.fault()).isEqualTo(fault);
    assertThat(unread.isHere()).isEqualTo(isHere);
  }

  @Test
  void whatFitsIsReadable() throws Exception {
    Delivery text = received(message(Message.TEXT_TYPE, text("{å}")));
    Delivery bytes = received(message(Message.BYTES_TYPE, new byte[LIMIT]));

    assertThat(text.unread()).isNull();
    assertThat(((TextMessage) text.message()).getText()).isEqualTo("{å}");
    assertThat(bytes.unread()).isNull();
    assertThat(((BytesMessage) bytes.message()).getBodyLength()).isEqualTo(LIMIT);
  }

  @Test
  void whatIsCompressedAndFitsIsUnpacked() throws Exception {
    Delivery text = received(compressed(Message.TEXT_TYPE, packed(text("{å}".repeat(100)))));
    byte[] body = "{}".repeat(LIMIT / 2).getBytes(StandardCharsets.UTF_8);
    Delivery bytes = received(compressed(Message.BYTES_TYPE, packed(body)));

    assertThat(((TextMessage) text.message()).getText()).isEqualTo("{å}".repeat(100));
    byte[] read = new byte[LIMIT];
    assertThat(((BytesMessage) bytes.message()).readBytes(read)).isEqualTo(LIMIT);
    assertThat(read).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(bytes = {Message.TEXT_TYPE, Message.BYTES_TYPE, Message.MAP_TYPE})
  void aSmallBodyThatUnpacksIntoALargeOneStaysAsItIs(byte type) throws Exception {
    byte[] bomb = packed(new byte[LIMIT + 1]);
    Delivery delivery = received(compressed(type, bomb));

    assertThat(bomb).hasSizeLessThan(LIMIT);
    assertUnread(delivery, Fault.BODY_TOO_LARGE, true);
  }

  @Test
  void whatIsTooLargeIsNotFetched() throws Exception {
    assertUnread(
        received(message(Message.TEXT_TYPE, text(" ".repeat(LIMIT)))), Fault.BODY_TOO_LARGE, false);
    // It has no body, and nothing to fetch one with: whoever reads it fails.
    ClientLargeMessageImpl large = new ClientLargeMessageImpl();
    large.setType(Message.BYTES_TYPE);
    large.setLargeMessageSize(1L << 40);
    assertUnread(received(large), Fault.BODY_TOO_LARGE, false);
  }

  /** The count of a map's entries, and a text's length, are what their sender writes there. */
  @Test
  void whatIsNotWhatItSaysIsNotDecoded() throws Exception {
    byte[] lie = {1, 0x7F, -1, -1, -1, 0, 0};

    assertUnread(received(message(Message.TEXT_TYPE, lie)), Fault.MALFORMED, true);
    assertUnread(received(message(Message.MAP_TYPE, lie)), Fault.WRONG_TYPE, true);
    assertUnread(received(message(Message.STREAM_TYPE, lie)), Fault.WRONG_TYPE, true);
    assertUnread(received(message(Message.OBJECT_TYPE, lie)), Fault.WRONG_TYPE, true);
    assertUnread(received(compressed(Message.TEXT_TYPE, lie)), Fault.MALFORMED, true);
    byte[] cut = packed(text("{}".repeat(50)));
    byte[] half = Arrays.copyOf(cut, cut.length / 2);
    assertUnread(received(compressed(Message.TEXT_TYPE, half)), Fault.MALFORMED, true);
  }

  /** The client fails at a property that is no boolean, and its consumer gets nothing more. */
  @Test
  void aFalseClaimOfCompressionIsNoneAtAll() throws Exception {
    ClientMessageImpl message = message(Message.TEXT_TYPE, text("{}"));
    message.putStringProperty(Message.HDR_LARGE_COMPRESSED, SimpleString.of("perhaps"));
    message.putBooleanProperty(SimpleString.of("_KEYWELL_PACKED"), true);

    assertThat(((TextMessage) received(message).message()).getText()).isEqualTo("{}");
  }
}

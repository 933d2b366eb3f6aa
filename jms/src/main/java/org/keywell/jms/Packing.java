package org.keywell.jms;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.MessagePacketI;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the broker's client from unpacking bodies that their senders compressed: it would unpack
 * 300 kB into 300 MB. It is shown a body that is not compressed, with a mark.
 */
final class Packing implements Interceptor {

  private static final SimpleString MARK = SimpleString.of("_KEYWELL_PACKED");

  @Override
  public boolean intercept(Packet packet, RemotingConnection connection) {
    if (packet instanceof MessagePacketI received) {
      mark(received.getMessage());
    }
    return true;
  }

  static void mark(Message message) {
    // Whatever its type: the client fails at a claim that is not a boolean.
    @Nullable Object claim = message.removeProperty(Message.HDR_LARGE_COMPRESSED);
    if (Boolean.TRUE.equals(claim)) {
      message.putBooleanProperty(MARK, true);
    } else {
      message.removeProperty(MARK);
    }
  }

  /** Returns whether a message's body is compressed, once. */
  static boolean unmark(Message message) {
    return message.removeProperty(MARK) != null;
  }

  /**
   * Unpacks a body.
   *
   * @return as much of it as the limit, and a byte more if there is more
   * @throws DataFormatException if it is not compressed
   */
  static byte[] unpack(byte[] packed, int limit) throws DataFormatException {
    byte[] unpacked = new byte[limit + 1];
    int length = 0;
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(packed);
      while (length <= limit && !inflater.finished()) {
        int more = inflater.inflate(unpacked, length, unpacked.length - length);
        if (more == 0 && !inflater.finished()) {
          throw new DataFormatException("it ends too early");
        }
        length += more;
      }
    }
    return Arrays.copyOf(unpacked, length);
  }
}

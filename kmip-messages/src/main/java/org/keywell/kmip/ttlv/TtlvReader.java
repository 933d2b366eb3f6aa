package org.keywell.kmip.ttlv;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.ttlv.TtlvException.Reason;

/**
 * Reads messages from bytes of anybody. A length is compared with the bytes that are there before
 * anything is allocated for it. Immutable and thread-safe.
 */
public final class TtlvReader {

  private static final int HEADER = 8;

  private final TtlvLimits limits;

  public TtlvReader(TtlvLimits limits) {
    this.limits = limits;
  }

  /**
   * Takes the bytes of the next message from a stream. Memory grows with the bytes that arrive, not
   * with the length that they announce.
   *
   * @return null if the stream ends before the message begins
   * @throws TtlvException if the message would be too long, or the stream ends within it; the
   *     stream is then of no further use
   */
  public byte @Nullable [] next(InputStream stream) throws IOException {
    byte[] header = stream.readNBytes(HEADER);
    if (header.length == 0) {
      return null;
    }
    if (header.length < HEADER) {
      throw new TtlvException(Reason.TRUNCATED, 0);
    }
    int length = ByteBuffer.wrap(header).getInt(4);
    if (length < 0 || length > limits.messageBytes() - HEADER) {
      throw new TtlvException(Reason.MESSAGE_TOO_LONG, 0);
    }
    byte[] rest = stream.readNBytes(length);
    if (rest.length < length) {
      throw new TtlvException(Reason.TRUNCATED, 0);
    }
    return ByteBuffer.allocate(HEADER + length).put(header).put(rest).array();
  }

  /**
   * Returns the one item that these bytes are.
   *
   * @throws TtlvException if they are none
   */
  public Item read(byte[] message) {
    if (message.length > limits.messageBytes()) {
      throw new TtlvException(Reason.MESSAGE_TOO_LONG, 0);
    }
    Run run = new Run(message);
    Item item = run.item(message.length, 1);
    if (run.at != message.length) {
      throw new TtlvException(Reason.TRAILING_BYTES, run.at);
    }
    return item;
  }

  /** One pass over one message. */
  private final class Run {
    private final ByteBuffer bytes;
    private int at;
    private int items;

    Run(byte[] message) {
      bytes = ByteBuffer.wrap(message);
    }

    /** Reads the item at the current place, which ends at {@code end} or before. */
    Item item(int end, int depth) {
      int start = at;
      if (++items > limits.items()) {
        throw new TtlvException(Reason.TOO_MANY_ITEMS, start);
      }
      if (depth > limits.depth()) {
        throw new TtlvException(Reason.TOO_DEEP, start);
      }
      if (end - start < HEADER) {
        throw tooShort(end, start);
      }
      int tag = bytes.getInt(start) >>> 8;
      if (!Item.isTag(tag)) {
        throw new TtlvException(Reason.BAD_TAG, start);
      }
      ItemType type = ItemType.ofCode(bytes.get(start + 3));
      if (type == null) {
        throw new TtlvException(Reason.UNKNOWN_TYPE, start);
      }
      int length = length(type, start);
      long padded = (length + 7L) & ~7L;
      if (padded > end - start - HEADER) {
        throw tooShort(end, start);
      }
      at = start + HEADER;
      Item item = new Item(tag, value(type, length, depth));
      int next = start + HEADER + (int) padded;
      for (; at < next; at++) {
        if (bytes.get(at) != 0) {
          throw new TtlvException(Reason.BAD_PADDING, start);
        }
      }
      return item;
    }

    private TtlvException tooShort(int end, int start) {
      return new TtlvException(
          end == bytes.capacity() ? Reason.TRUNCATED : Reason.BEYOND_STRUCTURE, start);
    }

    private int length(ItemType type, int start) {
      int length = bytes.getInt(start + 4);
      int fixed = type.fixedLength();
      boolean fits =
          switch (type) {
            case TEXT_STRING, BYTE_STRING -> length >= 0;
            case STRUCTURE -> length >= 0 && length % 8 == 0;
            case BIG_INTEGER -> length > 0 && length % 8 == 0;
            default -> length == fixed;
          };
      if (!fits) {
        throw new TtlvException(Reason.BAD_LENGTH, start);
      }
      return length;
    }

    private Value value(ItemType type, int length, int depth) {
      int from = at;
      if (type == ItemType.STRUCTURE) {
        List<Item> parts = new ArrayList<>();
        while (at < from + length) {
          parts.add(item(from + length, depth + 1));
        }
        return new Value.Structure(parts);
      }
      at += length;
      return switch (type) {
        case INTEGER -> new Value.Int(bytes.getInt(from));
        case LONG_INTEGER -> new Value.LongInt(bytes.getLong(from));
        case BIG_INTEGER -> new Value.BigInt(new BigInteger(copy(from, length)));
        case ENUMERATION -> new Value.Enumerated(bytes.getInt(from));
        case BOOLEAN -> new Value.Bool(truth(from));
        case TEXT_STRING -> new Value.Text(text(from, length));
        case BYTE_STRING -> new Value.Bytes(copy(from, length));
        case DATE_TIME -> new Value.DateTime(bytes.getLong(from));
        case INTERVAL -> new Value.Interval(Integer.toUnsignedLong(bytes.getInt(from)));
        case DATE_TIME_EXTENDED -> new Value.DateTimeExtended(bytes.getLong(from));
        case STRUCTURE -> throw new AssertionError();
      };
    }

    private boolean truth(int from) {
      long value = bytes.getLong(from);
      if (value != 0 && value != 1) {
        throw new TtlvException(Reason.BAD_BOOLEAN, from - HEADER);
      }
      return value == 1;
    }

    private String text(int from, int length) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(bytes.slice(from, length)).toString();
      } catch (CharacterCodingException e) {
        throw new TtlvException(Reason.BAD_TEXT, from - HEADER);
      }
    }

    private byte[] copy(int from, int length) {
      byte[] copy = new byte[length];
      bytes.get(from, copy);
      return copy;
    }
  }
}

package org.keywell.kmip.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Items as text, with all that they hold: {@code Operation=Query}, {@code BatchItem(…)}. */
final class Words {

  private Words() {}

  static String of(Item item) {
    String name = Tag.nameOf(item.tag());
    return switch (item.value()) {
      case Value.Structure(List<Item> items) ->
          items.stream().map(Words::of).collect(Collectors.joining(" ", name + "(", ")"));
      case Value.Int(int value) -> name + "=" + value;
      case Value.LongInt(long value) -> name + "=" + value;
      case Value.BigInt big -> name + "=" + big.value();
      case Value.Enumerated(int value) -> name + "=" + enumerated(item.tag(), value);
      case Value.Bool(boolean value) -> name + "=" + value;
      case Value.Text(String value) -> name + "=" + value;
      case Value.Bytes(byte[] value) -> name + "=" + new String(value, StandardCharsets.UTF_8);
      case Value.DateTime(long seconds) -> name + "=" + seconds;
      case Value.Interval(long seconds) -> name + "=" + seconds;
      case Value.DateTimeExtended(long micros) -> name + "=" + micros;
    };
  }

  private static String enumerated(int number, int value) {
    Tag tag = Tag.numbered(number);
    if (tag != null && tag.enumeration() != null) {
      for (ProtocolVersion version : ProtocolVersion.SUPPORTED) {
        var named = Enumerations.valued(tag.enumeration(), value, version);
        if (named != null) {
          return named.name();
        }
      }
    }
    return "%08X".formatted(value);
  }
}

package org.keywell.kmip.object;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Objects and attributes as clients have them. */
public final class SampleObjects {

  public static final AttributeName NAME = Attributes.named("Name");
  public static final AttributeName LENGTH = Attributes.named("Cryptographic Length");
  public static final AttributeName MASK = Attributes.named("Cryptographic Usage Mask");
  public static final AttributeName INITIAL_DATE = Attributes.named("Initial Date");
  public static final AttributeName CUSTOM = new AttributeName.Vendor("x", "purpose");

  private SampleObjects() {}

  /** An AES key that was created now, in the state Pre-Active. */
  public static ManagedObject key(String owner, Attributes attributes) {
    return new ManagedObject(
        UUID.randomUUID(),
        owner,
        ObjectType.SYMMETRIC_KEY,
        State.PRE_ACTIVE,
        attributes,
        new Material.Wrapped("managed-1", new byte[] {1, 2, 3}, null));
  }

  /** The value of the attribute Name. */
  public static Value name(String text) {
    return new Value.Structure(
        List.of(
            Tag.named("NameValue").item(new Value.Text(text)),
            Tag.named("NameType").item("UninterpretedTextString")));
  }

  /** Any attributes, the same for the same seed; those with several values have up to four. */
  static Attributes any(long seed) {
    Random random = new Random(seed);
    List<Attribute> known = Attribute.all();
    Attributes attributes = Attributes.NONE;
    for (int i = random.nextInt(12); i > 0; i--) {
      AttributeName name =
          random.nextInt(4) == 0
              ? new AttributeName.Vendor("v" + random.nextInt(3), "n" + random.nextInt(3))
              : new AttributeName.Standard(known.get(random.nextInt(known.size())));
      for (int values = random.nextInt(5); values > 0; values--) {
        if (Attributes.isMultiple(name) || attributes.get(name).isEmpty()) {
          attributes = attributes.add(name, value(random));
        }
      }
    }
    return attributes;
  }

  private static Value value(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> new Value.Int(random.nextInt());
      case 1 -> new Value.LongInt(random.nextLong());
      case 2 -> new Value.Bool(random.nextBoolean());
      case 3 -> new Value.Text("é".repeat(random.nextInt(20)));
      case 4 -> new Value.DateTime(random.nextLong());
      default -> new Value.Structure(List.of(new Item(0x420000, value(random))));
    };
  }
}

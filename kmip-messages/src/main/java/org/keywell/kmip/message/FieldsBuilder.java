package org.keywell.kmip.message;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Puts fields together, in the order in which they are given; a value that is null adds none. Fails
 * with {@link IllegalArgumentException} if no tag has the given name. Not thread-safe.
 */
public final class FieldsBuilder {

  private final List<Item> items = new ArrayList<>();

  public FieldsBuilder add(String tag, @Nullable Value value) {
    if (value != null) {
      items.add(Tag.named(tag).item(value));
    }
    return this;
  }

  public FieldsBuilder bytes(String tag, byte @Nullable [] value) {
    return add(tag, value == null ? null : new Value.Bytes(value));
  }

  public FieldsBuilder integer(String tag, int value) {
    return add(tag, new Value.Int(value));
  }

  public FieldsBuilder flag(String tag, boolean value) {
    return add(tag, new Value.Bool(value));
  }

  public FieldsBuilder text(String tag, @Nullable String value) {
    return add(tag, value == null ? null : new Value.Text(value));
  }

  public FieldsBuilder id(String tag, UUID value) {
    return text(tag, value.toString());
  }

  /** Adds a value of the tag's enumeration, by its name. */
  public FieldsBuilder choice(String tag, @Nullable String value) {
    return value == null ? this : add(Tag.named(tag).item(value));
  }

  public FieldsBuilder structure(String tag, FieldsBuilder fields) {
    return add(fields.in(tag));
  }

  public FieldsBuilder add(Item item) {
    items.add(item);
    return this;
  }

  public FieldsBuilder addAll(List<Item> more) {
    items.addAll(more);
    return this;
  }

  public List<Item> items() {
    return List.copyOf(items);
  }

  /** Returns a structure with this tag that has these fields. */
  public Item in(String tag) {
    return Tag.named(tag).item(items);
  }
}

package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * An array of {@code CK_ATTRIBUTE}. Modules only read templates, so many sessions may share one.
 *
 * @param attributes the array; lives as long as the builder's arena
 * @param count number of attributes
 */
record Template(MemorySegment attributes, long count) {

  /** {@code CK_ATTRIBUTE}: type, pointer to the value, length of the value. */
  static final long ATTRIBUTE_BYTES = 24;

  static Builder in(Arena arena) {
    return new Builder(arena);
  }

  /** Collects attributes; not thread-safe. */
  static final class Builder {
    private record Attribute(Cka name, MemorySegment value) {}

    private final Arena arena;
    private final List<Attribute> attributes = new ArrayList<>();

    private Builder(Arena arena) {
      this.arena = arena;
    }

    /** Adds {@code CK_TRUE} attributes. */
    Builder yes(Cka... names) {
      for (Cka name : names) {
        add(name, arena.allocateFrom(JAVA_BYTE, (byte) 1));
      }
      return this;
    }

    /** Adds {@code CK_FALSE} attributes. */
    Builder no(Cka... names) {
      for (Cka name : names) {
        add(name, arena.allocateFrom(JAVA_BYTE, (byte) 0));
      }
      return this;
    }

    Builder with(Cka name, long value) {
      return add(name, arena.allocateFrom(JAVA_LONG, value));
    }

    Builder with(Cka name, byte[] value) {
      return add(name, arena.allocateFrom(JAVA_BYTE, value));
    }

    Builder with(Cka name, Template nested) {
      return add(name, nested.attributes());
    }

    private Builder add(Cka name, MemorySegment value) {
      attributes.add(new Attribute(name, value));
      return this;
    }

    Template build() {
      MemorySegment array = arena.allocate(ATTRIBUTE_BYTES * attributes.size(), 8);
      long offset = 0;
      for (Attribute attribute : attributes) {
        array.set(JAVA_LONG, offset, attribute.name().type());
        array.set(ADDRESS, offset + 8, attribute.value());
        array.set(JAVA_LONG, offset + 16, attribute.value().byteSize());
        offset += ATTRIBUTE_BYTES;
      }
      return new Template(array, attributes.size());
    }
  }
}

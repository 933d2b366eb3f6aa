package org.keywell.kmip.object;

import org.keywell.kmip.table.Attribute;

/** What an attribute is called, in any version. */
public sealed interface AttributeName {

  /** An attribute of the specification. */
  record Standard(Attribute attribute) implements AttributeName {
    @Override
    public String toString() {
      return attribute.name();
    }
  }

  /**
   * An attribute that a client or a server has named. KMIP 1.x knows clients' and servers' own, by
   * the prefixes {@code x-} and {@code y-}; in 2.x these are the vendors {@code x} and {@code y}
   * beside others.
   */
  record Vendor(String vendor, String name) implements AttributeName {
    @Override
    public String toString() {
      return vendor + "-" + name;
    }

    /** Returns an attribute that only the server sets and sees. */
    public static Vendor servers(String name) {
      return new Vendor("y", name);
    }

    /** Tells whether only the server sets and sees it. */
    public boolean isServers() {
      return vendor.equals("y");
    }

    /** Tells whether KMIP 1.x can name it. */
    public boolean isCustom() {
      return vendor.equals("x");
    }
  }
}

package org.keywell.kmip.object;

import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.ttlv.Value;

/** The types of objects that are kept here. */
public enum ObjectType {
  CERTIFICATE("Certificate"),
  SYMMETRIC_KEY("SymmetricKey"),
  PUBLIC_KEY("PublicKey"),
  PRIVATE_KEY("PrivateKey"),
  SECRET_DATA("SecretData"),
  OPAQUE_OBJECT("OpaqueObject");

  private final String label;
  private final int value;

  ObjectType(String label) {
    this.label = label;
    this.value = Enumerations.named("ObjectType", label).bits();
  }

  /**
   * Returns the type with the given {@link #value}.
   *
   * @throws KmipException if none is kept here
   */
  public static ObjectType valued(int value) {
    for (ObjectType each : values()) {
      if (each.value == value) {
        return each;
      }
    }
    throw new KmipException("InvalidObjectType", "objects of this type are not kept here");
  }

  /** Takes the field that names the type. */
  public static ObjectType take(Fields fields) {
    return valued(fields.required("ObjectType", Value.Enumerated.class).value());
  }

  /** Returns KMIP's number. */
  public int value() {
    return value;
  }

  /** Returns the name in the enumeration {@code ObjectType}, like {@code SymmetricKey}. */
  public String label() {
    return label;
  }

  /** Tells whether its content is public, so that it may be kept in clear. */
  public boolean isPublic() {
    return this == CERTIFICATE || this == PUBLIC_KEY;
  }

  /** Returns the value of the attribute Object Type. */
  public Value.Enumerated attribute() {
    return new Value.Enumerated(value);
  }
}

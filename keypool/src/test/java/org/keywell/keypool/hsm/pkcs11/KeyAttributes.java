package org.keywell.keypool.hsm.pkcs11;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.keywell.keypool.hsm.KeyHandle;

/** Reads back from the token what keys may do. For tests, of this module and of others. */
public final class KeyAttributes {
  private static final List<Cka> BOOLEANS =
      List.of(
          Cka.CKA_TOKEN,
          Cka.CKA_PRIVATE,
          Cka.CKA_SENSITIVE,
          Cka.CKA_EXTRACTABLE,
          Cka.CKA_ENCRYPT,
          Cka.CKA_DECRYPT,
          Cka.CKA_WRAP,
          Cka.CKA_UNWRAP,
          Cka.CKA_SIGN,
          Cka.CKA_SIGN_RECOVER,
          Cka.CKA_VERIFY,
          Cka.CKA_DERIVE,
          Cka.CKA_MODIFIABLE);

  private KeyAttributes() {}

  /** The boolean attributes of a live key that the token reveals, by name: {@code CKA_TOKEN}. */
  public static Map<String, Boolean> of(Pkcs11Hsm hsm, KeyHandle key) {
    return read(hsm, key.value());
  }

  /** The boolean attributes of the wrapping key that the token reveals. */
  public static Map<String, Boolean> ofWrappingKey(Pkcs11Hsm hsm) {
    return read(hsm, hsm.wrappingKey().handle());
  }

  private static Map<String, Boolean> read(Pkcs11Hsm hsm, long object) {
    return hsm.inspect(object, KeyAttributes::read);
  }

  static Map<String, Boolean> read(ObjectAttributes attributes) {
    Map<Cka, Boolean> values = new EnumMap<>(Cka.class);
    for (Cka name : BOOLEANS) {
      attributes.readBoolean(name).ifPresent(value -> values.put(name, value));
    }
    Map<String, Boolean> byName = new TreeMap<>();
    values.forEach((name, value) -> byName.put(name.name(), value));
    return byName;
  }
}

package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.keywell.keypool.hsm.HsmException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wrapping key about to enter a token, by being generated or unwrapped there.
 *
 * @param label becomes its {@code CKA_LABEL}
 * @param ckaId becomes its {@code CKA_ID}
 */
record NewWrappingKey(String label, byte[] ckaId) {
  static final int CKA_ID_BYTES = 16;

  private static final Logger log = LoggerFactory.getLogger(NewWrappingKey.class);

  /** Returns a key that no token has yet, with a random {@code CKA_ID}. */
  static NewWrappingKey labelled(String label) {
    byte[] ckaId = new byte[CKA_ID_BYTES];
    new SecureRandom().nextBytes(ckaId);
    return new NewWrappingKey(label, ckaId);
  }

  /** Returns the label and {@code CKA_ID} of a key with this id; see {@link WrappingKey#id()}. */
  static NewWrappingKey ofId(String id) {
    int colon = id.lastIndexOf(':');
    return new NewWrappingKey(
        id.substring(0, colon), HexFormat.of().parseHex(id, colon + 1, id.length()));
  }

  /** See {@link WrappingKey#id()}. */
  String id() {
    return WrappingKey.id(label, ckaId);
  }

  /**
   * Makes the token create the key: a token object that wraps and unwraps and, where the module
   * accepts {@code CKA_UNWRAP_TEMPLATE}, unwraps only what Keywell uses.
   *
   * @param call creates a key from this template, which it may extend
   */
  void make(Brand brand, Consumer<Template.Builder> call) {
    UnwrapBinding.make(brand, bound -> make(bound, call));
  }

  /** As {@link #make(Brand, Consumer)}, but the key unwraps whatever it wrapped, as anything. */
  void makeForManagedKeys(Consumer<Template.Builder> call) {
    make(false, call);
  }

  private void make(boolean bound, Consumer<Template.Builder> call) {
    try (Arena arena = Arena.ofConfined()) {
      Template.Builder template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
              .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
              .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
              .with(Cka.CKA_ID, ckaId)
              .yes(Cka.CKA_TOKEN);
      if (bound) {
        template.with(Cka.CKA_UNWRAP_TEMPLATE, KeyTemplates.pins(arena));
      }
      call.accept(pin(template));
    }
  }

  /**
   * Destroys the key again, if it was created.
   *
   * @param cause why; if the token does not destroy it, that failure is added as suppressed
   */
  void takeBack(Session session, RuntimeException cause) {
    try {
      for (long object : objects(session)) {
        ReturnValue.check(
            "C_DestroyObject", session.functions().destroyObject(session.handle(), object));
      }
    } catch (HsmException e) {
      log.error("wrapping key {} stays in the token, unused: {}", id(), e.getMessage());
      cause.addSuppressed(e);
    }
  }

  /** Returns the handles of the key in a token; none if it is not there. */
  List<Long> objects(Session session) {
    List<Long> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
              .with(Cka.CKA_ID, ckaId)
              .build();
      ObjectSearch.forEach(session, template, found::add);
    }
    return found;
  }

  /** Adds what every wrapping key has: for wrapping and unwrapping only, and never readable. */
  static Template.Builder pin(Template.Builder template) {
    return template
        .yes(Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE)
        .yes(Cka.CKA_WRAP, Cka.CKA_UNWRAP)
        .no(Cka.CKA_EXTRACTABLE)
        .no(Cka.CKA_ENCRYPT, Cka.CKA_DECRYPT, Cka.CKA_SIGN, Cka.CKA_VERIFY, Cka.CKA_DERIVE)
        // Not modifiable, so that nobody who is logged in can add a use later. It comes last: when
        // SoftHSM unwraps, it refuses anything after it.
        .no(Cka.CKA_MODIFIABLE);
  }
}

package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a secret is in the token for during one call. A secret can do nothing else meanwhile, and
 * only {@link #READ} shows its value.
 */
enum SecretUse {
  ENCRYPT(Ck.CKK_AES, Cka.CKA_ENCRYPT),
  DECRYPT(Ck.CKK_AES, Cka.CKA_DECRYPT),
  WRAP(Ck.CKK_AES, Cka.CKA_WRAP),
  UNWRAP(Ck.CKK_AES, Cka.CKA_UNWRAP),
  MAC(Ck.CKK_GENERIC_SECRET, Cka.CKA_SIGN),
  /** To be wrapped by another key. */
  LEAVE(Ck.CKK_GENERIC_SECRET, null),
  READ(Ck.CKK_GENERIC_SECRET, null);

  private static final List<Cka> USES =
      List.of(
          Cka.CKA_ENCRYPT,
          Cka.CKA_DECRYPT,
          Cka.CKA_WRAP,
          Cka.CKA_UNWRAP,
          Cka.CKA_SIGN,
          Cka.CKA_VERIFY,
          Cka.CKA_DERIVE);

  private final long keyType;
  private final @Nullable Cka allowed;

  SecretUse(long keyType, @Nullable Cka allowed) {
    this.keyType = keyType;
    this.allowed = allowed;
  }

  /** Returns the template for a secret of the use's own key type that is unwrapped. */
  private Template unwrapped(Arena arena) {
    return template(arena, keyType).build();
  }

  /** Returns the templates of all uses, for as long as they are reachable. */
  static Map<SecretUse, Template> allUnwrapped() {
    Arena arena = Arena.ofAuto();
    Map<SecretUse, Template> templates = new EnumMap<>(SecretUse.class);
    Arrays.stream(values()).forEach(use -> templates.put(use, use.unwrapped(arena)));
    return templates;
  }

  /**
   * INVARIANT: this template, not the blob, defines what a secret may do: a private session object
   * for this use.
   */
  Template.Builder template(Arena arena, long type) {
    Template.Builder template =
        Template.in(arena)
            .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
            .with(Cka.CKA_KEY_TYPE, type)
            .no(Cka.CKA_TOKEN)
            .yes(Cka.CKA_PRIVATE);
    return switch (this) {
      case READ -> uses(template.no(Cka.CKA_SENSITIVE).yes(Cka.CKA_EXTRACTABLE));
      case LEAVE -> uses(template.yes(Cka.CKA_SENSITIVE, Cka.CKA_EXTRACTABLE));
      case ENCRYPT, DECRYPT, WRAP, UNWRAP, MAC ->
          uses(template.yes(Cka.CKA_SENSITIVE).no(Cka.CKA_EXTRACTABLE));
    };
  }

  private Template.Builder uses(Template.Builder template) {
    for (Cka use : USES) {
      if (use == allowed) {
        template.yes(use);
      } else {
        template.no(use);
      }
    }
    return template;
  }
}

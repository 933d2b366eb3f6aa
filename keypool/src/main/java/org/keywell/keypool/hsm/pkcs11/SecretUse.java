package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a secret is in the token for during one call. A secret can do nothing else meanwhile, except
 * be wrapped, which proves that it is the one meant. Only {@link #READ} shows its value.
 */
enum SecretUse {
  /** In both directions: each proves the other. */
  CIPHER(Ck.CKK_AES, Cka.CKA_ENCRYPT, Cka.CKA_DECRYPT),
  /** In both directions, as above. */
  WRAP(Ck.CKK_AES, Cka.CKA_WRAP, Cka.CKA_UNWRAP),
  MAC(Ck.CKK_GENERIC_SECRET, Cka.CKA_SIGN),
  /** To be wrapped by another key. */
  LEAVE(Ck.CKK_GENERIC_SECRET),
  READ(Ck.CKK_GENERIC_SECRET);

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

  @SuppressWarnings("ImmutableEnumChecker") // by List.of
  private final List<Cka> allowed;

  SecretUse(long keyType, Cka... allowed) {
    this.keyType = keyType;
    this.allowed = List.of(allowed);
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
    return uses(
        this == READ
            ? template.no(Cka.CKA_SENSITIVE).yes(Cka.CKA_EXTRACTABLE)
            : template.yes(Cka.CKA_SENSITIVE, Cka.CKA_EXTRACTABLE));
  }

  private Template.Builder uses(Template.Builder template) {
    for (Cka use : USES) {
      if (allowed.contains(use)) {
        template.yes(use);
      } else {
        template.no(use);
      }
    }
    return template;
  }
}

package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The templates for keys of one kind, built once.
 *
 * @param publicKey for the public half of a new pair
 * @param extractablePrivateKey for a private key that will be wrapped
 * @param privateKey for a private key that will sign at once
 * @param unwrappedKey for a private key that comes back from storage
 */
record KeyTemplates(
    Template publicKey,
    Template extractablePrivateKey,
    Template privateKey,
    Template unwrappedKey) {

  static KeyTemplates of(KeySpec spec, Brand brand, Arena arena) {
    Template.Builder unwrapped = signOnly(arena).no(Cka.CKA_EXTRACTABLE);
    brand.completeUnwrapTemplate(spec, unwrapped);
    return new KeyTemplates(
        publicKey(spec, arena),
        signOnly(arena).yes(Cka.CKA_EXTRACTABLE).build(),
        signOnly(arena).no(Cka.CKA_EXTRACTABLE).build(),
        // INVARIANT: this template, not the blob, defines an unwrapped key: a session object, for
        // signing only, that never leaves the token again.
        unwrapped
            .with(Cka.CKA_CLASS, Ck.CKO_PRIVATE_KEY)
            .with(Cka.CKA_KEY_TYPE, KeyKind.of(spec.algorithm()).keyType())
            .build());
  }

  /** Returns what every unwrapped key of any kind has, for the wrapping key to enforce. */
  static Template pins(Arena arena) {
    return signOnly(arena).no(Cka.CKA_EXTRACTABLE).build();
  }

  private static Template.Builder signOnly(Arena arena) {
    return Template.in(arena)
        .no(Cka.CKA_TOKEN)
        .yes(Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE, Cka.CKA_SIGN)
        .no(Cka.CKA_DECRYPT, Cka.CKA_SIGN_RECOVER, Cka.CKA_UNWRAP, Cka.CKA_DERIVE);
  }

  private static Template publicKey(KeySpec spec, Arena arena) {
    Template.Builder template =
        Template.in(arena).no(Cka.CKA_TOKEN, Cka.CKA_PRIVATE).yes(Cka.CKA_VERIFY);
    return KeyKind.of(spec.algorithm()).describe(spec, template).build();
  }
}

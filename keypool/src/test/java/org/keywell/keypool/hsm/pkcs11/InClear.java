package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/** Unwraps as somebody would who wants the key itself: neither sensitive nor bound to the token. */
final class InClear {

  private InClear() {}

  /** The handle of the key that came of it; empty if the token refuses the template. */
  static OptionalLong unwrap(ObjectAttributes wrappingKey, WrappedKey stored) {
    Session session = wrappingKey.session();
    byte[] blob = stored.wrappedPrivateKey();
    session.put(0, blob, blob.length);
    try (Arena arena = Arena.ofConfined()) {
      Brand brand = CkInfo.brand(session.functions());
      Template.Builder template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_PRIVATE_KEY)
              .with(
                  Cka.CKA_KEY_TYPE,
                  stored.spec().algorithm() == KeySpec.Algorithm.EC ? Ck.CKK_EC : Ck.CKK_RSA)
              .no(Cka.CKA_TOKEN, Cka.CKA_SENSITIVE)
              .yes(Cka.CKA_EXTRACTABLE, Cka.CKA_SIGN);
      brand.completeUnwrapTemplate(stored.spec(), template);
      long returned =
          session
              .functions()
              .unwrapKey(
                  session.handle(),
                  new Mechanisms(brand).keyWrap(),
                  wrappingKey.object(),
                  session.input(),
                  blob.length,
                  template.build(),
                  session.newObject());
      if (ReturnValue.CKR_TEMPLATE_INCONSISTENT.is(returned)) {
        return OptionalLong.empty();
      }
      ReturnValue.check("C_UnwrapKey", returned);
      return OptionalLong.of(session.newObjectHandle());
    }
  }
}

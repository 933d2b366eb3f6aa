package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;

/**
 * Carries an AES key from token to token, encrypted for an RSA key of the receiving token with
 * {@code CKM_RSA_PKCS_OAEP}. For one session and one thread.
 */
final class RsaTransport {
  private final Session session;
  private final Brand brand;
  private final Mechanisms mechanisms;

  RsaTransport(Session session, Brand brand) {
    this.session = session;
    this.brand = brand;
    this.mechanisms = new Mechanisms(brand);
  }

  /**
   * Generates an AES-256 key that can only be transported: a session object, sensitive,
   * extractable, without any use.
   */
  long generateCargo() {
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
              .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
              .with(Cka.CKA_VALUE_LEN, WrappingKey.BYTES)
              .no(Cka.CKA_TOKEN)
              .yes(Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE, Cka.CKA_EXTRACTABLE)
              .no(Cka.CKA_WRAP, Cka.CKA_UNWRAP, Cka.CKA_ENCRYPT, Cka.CKA_DECRYPT)
              .no(Cka.CKA_SIGN, Cka.CKA_VERIFY, Cka.CKA_DERIVE)
              .build();
      ReturnValue.check(
          "C_GenerateKey",
          session
              .functions()
              .generateKey(
                  session.handle(), mechanisms.aesKeyGen(), template, session.newObject()));
    }
    return session.newObjectHandle();
  }

  /** Imports another token's public key as a session object. */
  long importPublicKey(TransportPublicKey key) {
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_PUBLIC_KEY)
              .with(Cka.CKA_KEY_TYPE, Ck.CKK_RSA)
              .with(Cka.CKA_MODULUS, key.modulusBytes())
              .with(Cka.CKA_PUBLIC_EXPONENT, TransportPublicKey.exponent())
              .no(Cka.CKA_TOKEN, Cka.CKA_PRIVATE, Cka.CKA_ENCRYPT, Cka.CKA_VERIFY)
              .yes(Cka.CKA_WRAP)
              .build();
      ReturnValue.check(
          "C_CreateObject",
          session.functions().createObject(session.handle(), template, session.newObject()));
    }
    return session.newObjectHandle();
  }

  /** Encrypts a key for the holder of the private key. */
  byte[] wrap(long publicKey, long key) {
    ReturnValue.check(
        "C_WrapKey with RSA-OAEP",
        session
            .functions()
            .wrapKey(
                session.handle(),
                mechanisms.rsaOaep(),
                publicKey,
                key,
                session.output(),
                session.outputCapacity()));
    return session.takeOutput();
  }

  /** Decrypts a key inside the token, with the attributes in the template. */
  long unwrap(long privateKey, byte[] wrapped, Template template) {
    session.put(0, wrapped, wrapped.length);
    ReturnValue.check(
        "C_UnwrapKey with RSA-OAEP",
        session
            .functions()
            .unwrapKey(
                session.handle(),
                mechanisms.rsaOaep(),
                privateKey,
                session.input(),
                wrapped.length,
                template,
                session.newObject()));
    return session.newObjectHandle();
  }

  /** Installs a wrapping key in the token permanently. */
  long install(long privateKey, byte[] wrapped, NewWrappingKey key) {
    key.make(brand, template -> unwrap(privateKey, wrapped, template.build()));
    return session.newObjectHandle();
  }
}

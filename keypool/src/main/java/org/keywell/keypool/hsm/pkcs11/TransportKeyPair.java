package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The pair with which a token receives an AES key. Only the token can unwrap what is encrypted for
 * its public key, and only to a key that cannot be read. The latter holds where the module accepts
 * {@code CKA_UNWRAP_TEMPLATE}.
 *
 * @param publicKey handle
 * @param privateKey handle
 * @param subjectPublicKeyInfo the public key, in DER
 */
record TransportKeyPair(long publicKey, long privateKey, byte[] subjectPublicKeyInfo) {
  /** {@code CKA_LABEL} of both halves; a token has at most one pair. */
  static final String LABEL = "keywell-transport";

  private static final int CKA_ID_BYTES = 16;
  private static final KeySpec SPEC = KeySpec.RSA_3072;

  /**
   * Generates a pair for a wrapping key.
   *
   * @param onToken whether it outlives the session
   */
  static TransportKeyPair generate(Session session, Brand brand, boolean onToken) {
    return generate(session, brand, onToken, NewWrappingKey::pin);
  }

  /**
   * Generates a pair.
   *
   * @param pins adds what every key has that it unwraps
   */
  static TransportKeyPair generate(
      Session session, Brand brand, boolean onToken, UnaryOperator<Template.Builder> pins) {
    byte[] ckaId = new byte[CKA_ID_BYTES];
    new SecureRandom().nextBytes(ckaId);
    UnwrapBinding.make(
        brand,
        bound -> {
          try (Arena arena = Arena.ofConfined()) {
            ReturnValue.check(
                "C_GenerateKeyPair",
                session
                    .functions()
                    .generateKeyPair(
                        session.handle(),
                        new Mechanisms(brand).keyPairGen(SPEC.algorithm()),
                        publicTemplate(arena, ckaId, onToken),
                        privateTemplate(arena, ckaId, onToken, bound ? pins : null),
                        session.newPublicKey(),
                        session.newObject()));
          }
        });
    long publicKey = session.newPublicKeyHandle();
    long privateKey = session.newObjectHandle();
    try {
      return new TransportKeyPair(
          publicKey, privateKey, PublicKeyReader.read(session, publicKey, SPEC));
    } catch (RuntimeException e) {
      try (TemporaryObjects unreadable = new TemporaryObjects(session)) {
        unreadable.add(publicKey);
        unreadable.add(privateKey);
      }
      throw e;
    }
  }

  private static Template publicTemplate(Arena arena, byte[] ckaId, boolean onToken) {
    return named(Template.in(arena), ckaId, onToken)
        .with(Cka.CKA_MODULUS_BITS, SPEC.bits())
        .with(Cka.CKA_PUBLIC_EXPONENT, TransportPublicKey.exponent())
        .yes(Cka.CKA_WRAP)
        .no(Cka.CKA_PRIVATE, Cka.CKA_MODIFIABLE, Cka.CKA_ENCRYPT, Cka.CKA_VERIFY)
        .build();
  }

  private static Template privateTemplate(
      Arena arena, byte[] ckaId, boolean onToken, @Nullable UnaryOperator<Template.Builder> pins) {
    Template.Builder template =
        named(Template.in(arena), ckaId, onToken)
            .yes(Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE, Cka.CKA_UNWRAP)
            .no(Cka.CKA_EXTRACTABLE, Cka.CKA_MODIFIABLE)
            .no(Cka.CKA_DECRYPT, Cka.CKA_SIGN, Cka.CKA_SIGN_RECOVER, Cka.CKA_DERIVE);
    if (pins != null) {
      // Without it, anyone with the PIN and an answer could obtain the key in clear.
      template.with(Cka.CKA_UNWRAP_TEMPLATE, pins.apply(Template.in(arena)).build());
    }
    return template.build();
  }

  private static Template.Builder named(Template.Builder template, byte[] ckaId, boolean onToken) {
    template.with(Cka.CKA_LABEL, LABEL.getBytes(StandardCharsets.UTF_8)).with(Cka.CKA_ID, ckaId);
    return onToken ? template.yes(Cka.CKA_TOKEN) : template.no(Cka.CKA_TOKEN);
  }

  /** Returns the token's stored pair; empty unless there is exactly one of each half. */
  static Optional<TransportKeyPair> find(Session session) {
    List<Long> publicKeys = objects(session, Ck.CKO_PUBLIC_KEY);
    List<Long> privateKeys = objects(session, Ck.CKO_PRIVATE_KEY);
    if (publicKeys.size() != 1 || privateKeys.size() != 1) {
      return Optional.empty();
    }
    long publicKey = publicKeys.getFirst();
    return Optional.of(
        new TransportKeyPair(
            publicKey, privateKeys.getFirst(), PublicKeyReader.read(session, publicKey, SPEC)));
  }

  /** Destroys every transport key stored in the token. */
  static void removeAll(Session session) {
    for (long objectClass : new long[] {Ck.CKO_PRIVATE_KEY, Ck.CKO_PUBLIC_KEY}) {
      for (long object : objects(session, objectClass)) {
        ReturnValue.check(
            "C_DestroyObject", session.functions().destroyObject(session.handle(), object));
      }
    }
  }

  private static List<Long> objects(Session session, long objectClass) {
    List<Long> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, objectClass)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_LABEL, LABEL.getBytes(StandardCharsets.UTF_8))
              .build();
      ObjectSearch.forEach(session, template, found::add);
    }
    return found;
  }

  /**
   * Carries a throw-away key from the token to itself: modules that list a mechanism may still
   * refuse it, or the template.
   */
  void prove(Session session, Brand brand) {
    RsaTransport transport = new RsaTransport(session, brand);
    try (Arena arena = Arena.ofConfined();
        TemporaryObjects temporary = new TemporaryObjects(session)) {
      byte[] wrapped = transport.wrap(publicKey, temporary.add(transport.generateCargo()));
      Template template =
          NewWrappingKey.pin(
                  Template.in(arena)
                      .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
                      .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
                      .no(Cka.CKA_TOKEN))
              .build();
      temporary.add(transport.unwrap(privateKey, wrapped, template));
    }
  }
}

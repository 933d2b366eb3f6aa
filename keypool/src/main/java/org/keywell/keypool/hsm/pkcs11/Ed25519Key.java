package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/** An Ed25519 key in a token, found again after each reopening of it. Thread-safe. */
public final class Ed25519Key {
  private static final int LENGTH = 32;

  /** RFC 8410: the algorithm identifier, and the header of the bit string. */
  private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final byte[] PROOF = "Keywell proof".getBytes(StandardCharsets.US_ASCII);

  private final Supplier<Opening> opening;
  private final String label;
  private final PublicKey publicKey;
  private volatile Found found;

  private record Found(long epoch, long handle) {}

  Ed25519Key(Supplier<Opening> opening, String label) {
    this.opening = opening;
    this.label = label;
    Opening now = opening.get();
    this.found = find(now);
    this.publicKey = now.inSession(session -> publicKey(session, label));
    byte[] _ = sign(PROOF);
  }

  public PublicKey publicKey() {
    return publicKey;
  }

  /**
   * Returns the signature of a message, which has been verified.
   *
   * @param message at most 4,096 bytes
   * @throws HsmException if the token does not sign, or signs wrongly
   */
  public byte[] sign(byte[] message) {
    if (message.length > Session.BUFFER_BYTES) {
      throw new IllegalArgumentException("a message of " + message.length + " bytes");
    }
    Opening now = opening.get();
    Found key = found.epoch() == now.epoch() ? found : find(now);
    found = key;
    byte[] signature = now.inSession(session -> sign(session, key.handle(), message));
    requireVerified(publicKey, message, signature);
    return signature;
  }

  private Found find(Opening in) {
    return in.inSession(session -> {
      long handle =
          Ed25519Keys.find(session, Ck.CKO_PRIVATE_KEY, label).orElseThrow(() -> missing(label));
      ObjectAttributes attributes = new ObjectAttributes(session, handle);
      if (attributes.readBoolean(Cka.CKA_EXTRACTABLE).orElse(true)
          || !attributes.readBoolean(Cka.CKA_SENSITIVE).orElse(false)) {
        throw new HsmException(
            Reason.NOT_BOOTSTRAPPED, "the Ed25519 key '" + label + "' could leave the token");
      }
      return new Found(in.epoch(), handle);
    });
  }

  private static HsmException missing(String label) {
    return new HsmException(
        Reason.NOT_BOOTSTRAPPED, "the token has no Ed25519 key '" + label + "'");
  }

  /** Signs with a key that is new, and verifies that. */
  static void prove(Session session, long privateKey, PublicKey publicKey) {
    requireVerified(publicKey, PROOF, sign(session, privateKey, PROOF));
  }

  private static byte[] sign(Session session, long privateKey, byte[] message) {
    try (Arena arena = Arena.ofConfined()) {
      session.began(
          "C_SignInit",
          session
              .functions()
              .signInit(session.handle(), Mechanisms.edwardsSigning(arena), privateKey));
      session.put(0, message, message.length);
      ReturnValue.check(
          "C_Sign",
          session.ended(
              session
                  .functions()
                  .sign(
                      session.handle(),
                      session.input(),
                      message.length,
                      session.output(),
                      session.outputCapacity())));
      return session.takeOutput();
    }
  }

  private static PublicKey publicKey(Session session, String label) {
    return publicKey(
        session,
        Ed25519Keys.find(session, Ck.CKO_PUBLIC_KEY, label).orElseThrow(() -> missing(label)));
  }

  static PublicKey publicKey(Session session, long handle) {
    // Bare, or as an octet string or a bit string: modules differ.
    byte[] point = new ObjectAttributes(session, handle).require(Cka.CKA_EC_POINT);
    if (point.length < LENGTH) {
      throw failed("its public key has " + point.length + " bytes");
    }
    byte[] spki = Arrays.copyOf(SPKI, SPKI.length + LENGTH);
    System.arraycopy(point, point.length - LENGTH, spki, SPKI.length, LENGTH);
    try {
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(spki));
    } catch (GeneralSecurityException e) {
      throw new HsmException(Reason.FAILED, "no Ed25519 public key: " + e.getMessage(), e);
    }
  }

  private static void requireVerified(PublicKey publicKey, byte[] message, byte[] signature) {
    try {
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(publicKey);
      verifier.update(message);
      if (verifier.verify(signature)) {
        return;
      }
    } catch (GeneralSecurityException e) {
      throw new HsmException(Reason.FAILED, "no Ed25519 signature: " + e.getMessage(), e);
    }
    throw failed("what it signed does not verify");
  }

  private static HsmException failed(String why) {
    return new HsmException(Reason.FAILED, "an Ed25519 key in the token: " + why);
  }
}

package org.keywell.tlog;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;

/** Signs notes with a key in memory. */
final class Ed25519Signer {

  private final KeyPair pair;
  private final NoteKey key;

  private Ed25519Signer(KeyPair pair, NoteKey key) {
    this.pair = pair;
    this.key = key;
  }

  static Ed25519Signer ofLog(String name) throws GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    return new Ed25519Signer(pair, NoteKey.of(name, pair.getPublic()));
  }

  static Ed25519Signer ofWitness(String name) throws GeneralSecurityException {
    Ed25519Signer plain = ofLog(name);
    return new Ed25519Signer(
        plain.pair, new NoteKey(name, NoteKey.Type.COSIGNATURE_ED25519, plain.key.material()));
  }

  NoteKey key() {
    return key;
  }

  NoteSignature sign(String text) throws GeneralSecurityException {
    return new NoteSignature(
        key.name(), key.id(), signature(text.getBytes(StandardCharsets.UTF_8)));
  }

  NoteSignature cosign(String text, long seconds) throws GeneralSecurityException {
    return new NoteSignature(
        key.name(),
        key.id(),
        Cosignatures.bytes(seconds, signature(Cosignatures.message(seconds, text))));
  }

  private byte[] signature(byte[] message) throws GeneralSecurityException {
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update(message);
    return signer.sign();
  }
}

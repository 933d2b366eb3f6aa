package org.keywell.cli.log;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.List;
import org.keywell.tlog.Cosignatures;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;

/** A witness that cosigns whatever it is shown. */
public final class TestWitness {
  private static final long TIME = 1_800_000_000L;

  private final KeyPair pair;
  private final NoteKey key;

  public TestWitness(String name) throws GeneralSecurityException {
    this.pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] spki = pair.getPublic().getEncoded();
    this.key =
        new NoteKey(
            name,
            NoteKey.Type.COSIGNATURE_ED25519,
            Arrays.copyOfRange(spki, spki.length - 32, spki.length));
  }

  public NoteKey key() {
    return key;
  }

  public SignedNote cosigned(SignedNote note) throws GeneralSecurityException {
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update(Cosignatures.message(TIME, note.text()));
    return note.with(
        List.of(new NoteSignature(key.name(), key.id(), Cosignatures.bytes(TIME, signer.sign()))));
  }
}

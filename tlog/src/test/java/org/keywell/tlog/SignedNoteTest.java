package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SignedNoteTest {

  /** The example of C2SP signed-note. */
  private static final String KEY =
      "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

  private static final String TEXT = "This is an example message.\n";

  private static final String LINE =
      "\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3"
          + "mFXmRKuwHjG1Yu72IneyaQM=";

  private static final String NOTE = TEXT + "\n" + LINE + "\n";

  private static SignedNote note(String note) {
    return SignedNote.parse(note.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void verifiesTheSpecificationsExample() {
    NoteKey key = NoteKey.parse(KEY);
    SignedNote note = note(NOTE);

    assertThat(key).hasToString(KEY);
    assertThat(note.signedBy(List.of(key, NoteKey.parse(KEY)))).containsExactly(key);
    assertThat(new String(note.bytes(), StandardCharsets.UTF_8)).isEqualTo(NOTE);
  }

  @Test
  void rejectsANoteWithABadSignatureOfAKnownKey() {
    SignedNote altered = note(NOTE.replace("example message", "example massage"));

    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> altered.signedBy(List.of(NoteKey.parse(KEY))))
        .withMessage("a signature of example.com/foo does not verify");
  }

  /** A valid one beside it does not help. */
  @Test
  void rejectsASecondBadSignatureOfAKnownKey() {
    NoteKey key = NoteKey.parse(KEY);
    SignedNote note =
        note(NOTE).with(List.of(new NoteSignature(key.name(), key.id(), new byte[64])));

    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> note.signedBy(List.of(key)));
  }

  @Test
  void ignoresUnknownKeysEvenOfAKnownName() throws Exception {
    NoteKey key = NoteKey.parse(KEY);
    Ed25519Signer namesake = Ed25519Signer.ofLog("example.com/foo");
    SignedNote note = note(NOTE).with(List.of(namesake.sign("another text\n")));

    assertThat(note.signedBy(List.of(key))).containsExactly(key);
    assertThat(note.signedBy(List.of(Ed25519Signer.ofLog("example.com/foo").key()))).isEmpty();
  }

  @Test
  void verifiesEcdsa() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    Signature signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(pair.getPrivate());
    signer.update(TEXT.getBytes(StandardCharsets.UTF_8));
    NoteKey key = NoteKey.of("log.example", pair.getPublic());
    SignedNote note =
        new SignedNote(TEXT, List.of(new NoteSignature(key.name(), key.id(), signer.sign())));

    assertThat(note.signedBy(List.of(NoteKey.parse(key.toString())))).containsExactly(key);
    SignedNote other = new SignedNote("other\n", note.signatures());
    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> other.signedBy(List.of(key)));
  }

  @Test
  void verifiesCosignaturesWithTheirTime() throws Exception {
    Ed25519Signer witness = Ed25519Signer.ofWitness("witness.example");
    NoteSignature cosignature = witness.cosign(TEXT, 1_700_000_000L);
    SignedNote note = note(NOTE).with(List.of(cosignature));

    assertThat(note.signedBy(List.of(witness.key(), NoteKey.parse(KEY)))).hasSize(2);
    byte[] earlier = cosignature.bytes();
    earlier[7]--;
    SignedNote moved =
        note(NOTE)
            .with(List.of(new NoteSignature(cosignature.name(), cosignature.keyId(), earlier)));
    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> moved.signedBy(List.of(witness.key())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.com/foo",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/bar+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+A+kyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AQ==",
        "two words+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
      })
  void refusesOtherVerifierKeys(String key) {
    assertThatExceptionOfType(LogFormatException.class).isThrownBy(() -> NoteKey.parse(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "\n\n",
        "text\n",
        "text\n\n",
        "text\n\n\u2014 name AAAAAAA=",
        "text\n\n\u2014 name AAAAAA==\n",
        "text\n\n\u2014 name AAAAAAB=\n",
        "text\n\n\u2014 name AAAAAAA=\n\n",
        "text\n\n- name AAAAAAA=\n",
        "text\n\n\u2014 two words AAAAAAA=\n",
        "text\n\n\u2014  AAAAAAA=\n",
        "text\r\n\n\u2014 name AAAAAAA=\n",
        "text\n\n\u2014 name AAAAAAA=\r\n"
      })
  void refusesWhatIsNoNote(String note) {
    assertThatExceptionOfType(LogFormatException.class).isThrownBy(() -> note(note));
  }

  @Test
  void refusesOtherBytesThanUtf8() {
    byte[] note = NOTE.getBytes(StandardCharsets.UTF_8);
    note[0] = (byte) 0xC0;

    assertThatExceptionOfType(LogFormatException.class).isThrownBy(() -> SignedNote.parse(note));
  }

  @Test
  void limitsTheSignatures() {
    String most = TEXT + "\n" + (LINE + "\n").repeat(SignedNote.MAX_SIGNATURES);

    assertThat(note(most).signatures()).hasSize(SignedNote.MAX_SIGNATURES);
    assertThatExceptionOfType(LogFormatException.class).isThrownBy(() -> note(most + LINE + "\n"));
    List<NoteSignature> repeated = Collections.nCopies(100, NoteSignature.parse(LINE));
    assertThat(note(NOTE).with(repeated)).isEqualTo(note(NOTE));
  }
}

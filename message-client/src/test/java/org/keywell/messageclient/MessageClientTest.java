package org.keywell.messageclient;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.keywell.messageclient.AnswerException.Reason;
import org.keywell.protection.Content;
import org.keywell.protection.Header;
import org.keywell.protection.KeySigner;
import org.keywell.protection.Opened;
import org.keywell.protection.Opener;
import org.keywell.protection.ProtectionException;
import org.keywell.protection.Sealer;
import org.keywell.protection.SignatureScheme;

/** A request reaches the service, and only the service's answer to it comes back. */
final class MessageClientTest {

  private static final int MAX = 100_000;
  private static final byte[] REQUEST = "{\"requestId\": \"1\"}".getBytes(UTF_8);
  private static final byte[] ANSWER = "{\"signature\": \"\"}".getBytes(UTF_8);
  private static final Instant NOW = Authority.NOW;

  private static Authority authority;
  private static KeyPair tax;
  private static KeyPair keywell;
  private static X509Certificate taxCertificate;
  private static X509Certificate keywellCertificate;

  @BeforeAll
  static void keys() throws Exception {
    authority = new Authority("authority");
    tax = Authority.pair();
    keywell = Authority.pair();
    taxCertificate = authority.certify("tax", tax);
    keywellCertificate = authority.certify("keywell", keywell);
  }

  private static KeySigner signer(KeyPair pair, X509Certificate... chain) {
    return new KeySigner(SignatureScheme.RSASSA_PKCS1_V1_5, pair.getPrivate(), List.of(chain));
  }

  private static MessageClient client(Sealer sealer, Opener opener, boolean signed, Instant now) {
    TrustedSigner service =
        new TrustedSigner(authority.certificate(), new X500Principal("CN=keywell"));
    return new MessageClient(
        sealer,
        opener,
        signed ? service : null,
        "keywell.requests",
        "keywell.replies.tax",
        InstantSource.fixed(now));
  }

  private static MessageClient integrity(Instant now) {
    return client(Sealer.integrity(signer(tax, taxCertificate)), Opener.integrity(MAX), true, now);
  }

  private static byte[] answer(Sealer sealer, String to, @Nullable String inReplyTo) {
    Header header = new Header("answer", NOW, to, null, inReplyTo);
    return sealer.seal(new Content(header, ANSWER));
  }

  @Test
  void askedAndAnsweredWithIntegrity() throws Exception {
    MessageClient client = integrity(NOW);
    ProtectedRequest request = client.request(REQUEST);

    Opened opened = Opener.integrity(MAX).open(request.message());
    assertThat(opened.signer()).containsExactly(taxCertificate);
    assertThat(opened.content().body()).isEqualTo(REQUEST);
    assertThat(opened.content().header())
        .isEqualTo(new Header(request.id(), NOW, "keywell.requests", "keywell.replies.tax", null));
    for (KeySigner service :
        List.of(
            signer(keywell, keywellCertificate),
            signer(keywell, keywellCertificate, authority.certificate()))) {
      byte[] answer = answer(Sealer.integrity(service), "keywell.replies.tax", request.id());
      assertThat(client.answer(request.id(), answer)).isEqualTo(ANSWER);
    }
  }

  @Test
  void askedAndAnsweredInPrivate() throws Exception {
    MessageClient client =
        client(
            Sealer.privacy(signer(tax, taxCertificate), keywellCertificate),
            Opener.privacy(MAX, tax.getPrivate(), taxCertificate),
            true,
            NOW);
    ProtectedRequest request = client.request(REQUEST);

    Opener service = Opener.privacy(MAX, keywell.getPrivate(), keywellCertificate);
    assertThat(service.open(request.message()).content().body()).isEqualTo(REQUEST);
    Sealer answers = Sealer.privacy(signer(keywell, keywellCertificate), taxCertificate);
    assertThat(client.answer(request.id(), answer(answers, "keywell.replies.tax", request.id())))
        .isEqualTo(ANSWER);
  }

  @Test
  void askedAndAnsweredUnderSharedKeys() throws Exception {
    MessageClient client =
        client(
            Sealer.confidentiality(keywellCertificate, Sealer.DEFAULT_REUSE),
            Opener.confidentiality(MAX, tax.getPrivate(), taxCertificate, 4),
            false,
            NOW);
    ProtectedRequest request = client.request(REQUEST);

    Opener service = Opener.confidentiality(MAX, keywell.getPrivate(), keywellCertificate, 4);
    assertThat(service.open(request.message()).content().body()).isEqualTo(REQUEST);
    Sealer answers = Sealer.confidentiality(taxCertificate, Sealer.DEFAULT_REUSE);
    assertThat(client.answer(request.id(), answer(answers, "keywell.replies.tax", request.id())))
        .isEqualTo(ANSWER);
  }

  @Test
  void otherAnswersAreRefused() throws Exception {
    Sealer service = Sealer.integrity(signer(keywell, keywellCertificate));
    refused(answer(service, "keywell.replies.customs", "1"), NOW, Reason.OTHER_QUEUE);
    refused(answer(service, "keywell.replies.tax", "2"), NOW, Reason.OTHER_REQUEST);
    refused(answer(service, "keywell.replies.tax", null), NOW, Reason.OTHER_REQUEST);
  }

  @Test
  void otherSignersAreRefused() throws Exception {
    Authority other = new Authority("authority");
    for (X509Certificate certificate :
        List.of(
            authority.certify("customs", keywell),
            authority.certify("KEYWELL", keywell),
            // A document's signer, who may choose a name and what is signed.
            authority.certifySigner("keywell", keywell),
            other.certify("keywell", keywell))) {
      Sealer service = Sealer.integrity(signer(keywell, certificate));
      refused(answer(service, "keywell.replies.tax", "1"), NOW, Reason.SIGNER_NOT_TRUSTED);
    }
    // An authority of the attacker, by the right subject.
    KeyPair mallory = Authority.pair();
    Sealer forged =
        Sealer.integrity(
            signer(mallory, new Authority("keywell").certify("keywell", mallory), taxCertificate));
    refused(answer(forged, "keywell.replies.tax", "1"), NOW, Reason.SIGNER_NOT_TRUSTED);
  }

  @Test
  void expiredCertificatesAreRefused() {
    byte[] answer =
        answer(Sealer.integrity(signer(keywell, keywellCertificate)), "keywell.replies.tax", "1");
    refused(answer, NOW.plus(Duration.ofDays(2)), Reason.SIGNER_NOT_TRUSTED);
  }

  @Test
  void anotherQualityIsRefused() {
    byte[] answer = answer(Sealer.confidentiality(taxCertificate, 1), "keywell.replies.tax", "1");
    ProtectionException refusal =
        catchThrowableOfType(ProtectionException.class, () -> integrity(NOW).answer("1", answer));
    assertThat(refusal.fault()).isEqualTo(ProtectionException.Fault.WRONG_QUALITY);
  }

  @Test
  void whoSignsIsKnownIfAnybodyDoes() {
    Sealer sealer = Sealer.integrity(signer(tax, taxCertificate));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client(sealer, Opener.integrity(MAX), false, NOW));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            client(
                sealer,
                Opener.confidentiality(MAX, tax.getPrivate(), taxCertificate, 1),
                true,
                NOW));
  }

  private static void refused(byte[] answer, Instant now, Reason reason) {
    AnswerException refusal =
        catchThrowableOfType(AnswerException.class, () -> integrity(now).answer("1", answer));
    assertThat(refusal).isNotNull();
    assertThat(refusal.reason()).isEqualTo(reason);
  }
}

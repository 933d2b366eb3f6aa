package org.keywell.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.protection.Messages.MAX;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.keywell.protection.ProtectionException.Fault;

/** What an attacker makes of messages, who has every certificate and no key of others. */
final class AttackTest {

  private static final Party TAX = Party.rsa("tax");
  private static final Party KEYWELL = Party.rsa("keywell");
  private static final Party MALLORY = Party.rsa("mallory");
  private static final Content CONTENT = Messages.small();

  private static final Opener INTEGRITY = Opener.integrity(MAX);
  private static final Opener PRIVACY = Opener.privacy(MAX, KEYWELL.key(), KEYWELL.certificate());
  private static final Opener CONFIDENTIALITY =
      Opener.confidentiality(MAX, KEYWELL.key(), KEYWELL.certificate(), 8);

  private static byte[] integrity() {
    return Sealer.integrity(TAX.signer()).seal(CONTENT);
  }

  private static byte[] privacy() {
    return Sealer.privacy(TAX.signer(), KEYWELL.certificate()).seal(CONTENT);
  }

  private static byte[] confidential() {
    return Sealer.confidentiality(KEYWELL.certificate(), 32).seal(CONTENT);
  }

  @Test
  void anotherQualityThanRequired() {
    Messages.refused(INTEGRITY, Entity.write(CONTENT), Fault.NOT_PROTECTED);
    Messages.refused(INTEGRITY, new byte[0], Fault.NOT_PROTECTED);
    Messages.refused(INTEGRITY, privacy(), Fault.WRONG_QUALITY);
    Messages.refused(INTEGRITY, confidential(), Fault.WRONG_QUALITY);
    Messages.refused(PRIVACY, Entity.write(CONTENT), Fault.NOT_PROTECTED);
    Messages.refused(PRIVACY, integrity(), Fault.WRONG_QUALITY);
    Messages.refused(PRIVACY, confidential(), Fault.WRONG_QUALITY);
    Messages.refused(CONFIDENTIALITY, Entity.write(CONTENT), Fault.NOT_PROTECTED);
    Messages.refused(CONFIDENTIALITY, integrity(), Fault.WRONG_QUALITY);
    Messages.refused(CONFIDENTIALITY, privacy(), Fault.WRONG_QUALITY);
  }

  @Test
  void signatureByAnotherKeyUnderTheSignersName() {
    KeySigner mallory = MALLORY.signer();
    byte[] forged =
        SignedMessage.write(
            Entity.write(CONTENT),
            attributes ->
                new MessageSignature(
                    SignatureScheme.RSASSA_PKCS1_V1_5,
                    mallory.sign(attributes).value(),
                    TAX.chain()));
    Messages.refused(INTEGRITY, forged, Fault.SIGNATURE_INVALID);
  }

  @Test
  void certificateOfTheSameNameAndSerialBesideTheRealOne() {
    X509Certificate real = TAX.certificate();
    KeyPair pair = Party.pair("RSA", 2048);
    X509Certificate twin =
        Party.certify(
            "tax",
            real.getSerialNumber().longValueExact(),
            pair.getPublic(),
            Party.BOTH,
            "tax",
            pair.getPrivate());
    Messages.refused(INTEGRITY, signedWith(List.of(real, twin)), Fault.MALFORMED);
  }

  private static byte[] signedWith(List<X509Certificate> certificates) {
    return SignedMessage.write(
        Entity.write(CONTENT),
        attributes ->
            new MessageSignature(
                SignatureScheme.RSASSA_PKCS1_V1_5,
                TAX.signer().sign(attributes).value(),
                certificates));
  }

  @Test
  void contentOfAnotherMessageUnderThisSignature() {
    SignedData other = signedData(Sealer.integrity(MALLORY.signer()).seal(CONTENT));
    SignedData ours = signedData(integrity());
    assertThat(ours.getEncapContentInfo()).isEqualTo(other.getEncapContentInfo());

    byte[] body = "{\"requestId\": 8}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    SignedData changed = signedData(Sealer.integrity(MALLORY.signer()).seal(Messages.with(body)));
    Messages.refused(
        INTEGRITY,
        signed(changed, ours.getCertificates(), ours.getSignerInfos()),
        Fault.SIGNATURE_INVALID);
  }

  @Test
  void noSignerOrTwo() {
    SignedData ours = signedData(integrity());
    SignedData other = signedData(Sealer.integrity(MALLORY.signer()).seal(CONTENT));
    Messages.refused(
        INTEGRITY, signed(ours, ours.getCertificates(), new DERSet()), Fault.MALFORMED);
    Messages.refused(
        INTEGRITY,
        signed(
            ours,
            union(ours.getCertificates(), other.getCertificates()),
            union(ours.getSignerInfos(), other.getSignerInfos())),
        Fault.MALFORMED);
  }

  @Test
  void manyCertificates() {
    assertThat(signedWith(many(8)))
        .satisfies(bytes -> Messages.same(INTEGRITY.open(bytes), CONTENT));
    Messages.refused(INTEGRITY, signedWith(many(9)), Fault.TOO_LARGE);
  }

  private static List<X509Certificate> many(int count) {
    List<X509Certificate> certificates = new ArrayList<>(List.of(TAX.certificate()));
    for (int n = 1; n < count; n++) {
      certificates.add(
          Party.certify("n" + n, n, TAX.certificate().getPublicKey(), Party.BOTH, "x", TAX.key()));
    }
    return certificates;
  }

  @Test
  void recipientSwappedOrRepeated() {
    byte[] toMallory = Sealer.confidentiality(MALLORY.certificate(), 32).seal(CONTENT);
    Messages.refused(CONFIDENTIALITY, toMallory, Fault.WRONG_RECIPIENT);

    AuthEnvelopedData ours = enveloped(confidential());
    ASN1Set theirs = enveloped(toMallory).getRecipientInfos();
    Messages.refused(CONFIDENTIALITY, enveloped(ours, theirs), Fault.WRONG_RECIPIENT);
    Messages.refused(CONFIDENTIALITY, enveloped(ours, new DERSet()), Fault.WRONG_RECIPIENT);
    ASN1Set again = enveloped(confidential()).getRecipientInfos();
    Messages.refused(CONFIDENTIALITY, enveloped(ours, again), Fault.DECRYPTION_FAILED);
    Messages.refused(
        CONFIDENTIALITY, enveloped(ours, union(ours.getRecipientInfos(), again)), Fault.MALFORMED);
  }

  @Test
  void manyRecipients() {
    AuthEnvelopedData ours = enveloped(confidential());
    ASN1Set all = ours.getRecipientInfos();
    for (int n = 0; n < 16; n++) {
      Messages.same(openQuietly(enveloped(ours, all)), CONTENT);
      all =
          union(
              all,
              enveloped(Sealer.confidentiality(MALLORY.certificate(), 1).seal(CONTENT))
                  .getRecipientInfos());
    }
    Messages.refused(CONFIDENTIALITY, enveloped(ours, all), Fault.TOO_LARGE);
  }

  private static Opened openQuietly(byte[] message) {
    try {
      return CONFIDENTIALITY.open(message);
    } catch (ProtectionException e) {
      throw new AssertionError(e);
    }
  }

  /** The names differ in case alone: equal by RFC 5280, another's by the bytes. */
  @Test
  void recipientWithTheSameNameInOtherLetters() {
    Party shouting =
        new Party(
            MALLORY.key(),
            List.of(
                Party.certify(
                    "KEYWELL",
                    KEYWELL.certificate().getSerialNumber().longValueExact(),
                    MALLORY.certificate().getPublicKey(),
                    Party.BOTH,
                    "KEYWELL",
                    MALLORY.key())));
    Messages.refused(
        CONFIDENTIALITY,
        Sealer.confidentiality(shouting.certificate(), 1).seal(CONTENT),
        Fault.WRONG_RECIPIENT);
  }

  /** The sender's signature still holds; the queue that it covers is the first recipient's. */
  @Test
  void surreptitiousForwardingShowsInTheHeader() throws Exception {
    Content forMallory =
        new Content(
            new Header("1@tax", CONTENT.header().date(), "mallory.requests", null, null),
            CONTENT.body());
    byte[] toMallory = Sealer.privacy(TAX.signer(), MALLORY.certificate()).seal(forMallory);
    EnvelopeReader reader =
        new EnvelopeReader(new RecipientName(MALLORY.certificate()), MALLORY.key(), 0);
    byte[] signed = reader.read(ContentInfo.getInstance(toMallory).getContent().toASN1Primitive());
    byte[] forwarded = Envelope.write(signed, new ContentKeys(KEYWELL.certificate(), 1));

    Opened opened = PRIVACY.open(forwarded);
    assertThat(opened.signer()).isEqualTo(TAX.chain());
    assertThat(opened.content().header().to()).isEqualTo("mallory.requests");
  }

  @Test
  void decryptionFailsInOneWay() {
    AuthEnvelopedData ours = enveloped(confidential());
    byte[] fresh = confidential();
    fresh[fresh.length - 1] ^= 1;
    Messages.refused(CONFIDENTIALITY, fresh, Fault.DECRYPTION_FAILED);
    byte[] otherKey = confidential();
    // Inside of the encrypted key, which comes before the encrypted content.
    otherKey[200] ^= 1;
    Messages.refused(CONFIDENTIALITY, otherKey, Fault.DECRYPTION_FAILED);
    // A key that is known does not make what is under it authentic.
    Messages.same(openQuietly(enveloped(ours, ours.getRecipientInfos())), CONTENT);
    byte[] known = enveloped(ours, ours.getRecipientInfos());
    known[known.length - 1] ^= 1;
    Messages.refused(CONFIDENTIALITY, known, Fault.DECRYPTION_FAILED);
  }

  @Test
  void keysThatMayNotSign() {
    for (Party party :
        List.of(
            Party.rsa("short", 1024, Party.BOTH),
            Party.rsa("encipher", 2048, KeyUsage.keyEncipherment),
            Party.ec("curve", "secp256r1"))) {
      SignatureScheme scheme = SignatureScheme.RSASSA_PKCS1_V1_5;
      assertThatIllegalArgumentException().isThrownBy(() -> party.signer(scheme));
      byte[] message =
          SignedMessage.write(
              Entity.write(CONTENT),
              attributes -> new MessageSignature(scheme, new byte[256], party.chain()));
      Messages.refused(INTEGRITY, message, Fault.KEY_WRONG);
    }
  }

  @Test
  void certificatesWithoutRestrictionOrForCommitmentMaySign() throws Exception {
    for (int usage : List.of(0, KeyUsage.nonRepudiation)) {
      Party party = Party.rsa("free", 2048, usage);
      Messages.same(INTEGRITY.open(Sealer.integrity(party.signer()).seal(CONTENT)), CONTENT);
    }
  }

  @Test
  void keysThatMayNotBeEncryptedFor() {
    for (Party party :
        List.of(
            Party.rsa("short", 1024, Party.BOTH),
            Party.rsa("sign", 2048, KeyUsage.digitalSignature),
            Party.ec("curve", "secp256r1"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Sealer.confidentiality(party.certificate(), 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Opener.privacy(MAX, party.key(), party.certificate()));
    }
  }

  @Test
  void largerThanAllowed() throws Exception {
    byte[] message = integrity();
    Messages.same(Opener.integrity(message.length).open(message), CONTENT);
    Messages.refused(Opener.integrity(message.length - 1), message, Fault.TOO_LARGE);
  }

  @Test
  void noise() {
    Random random = new Random(11);
    for (int n = 0; n < 10_000; n++) {
      byte[] noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      if (noise.length > 0) {
        noise[0] = 0x30;
      }
      assertThat(Messages.opensToTheSame(PRIVACY, noise, CONTENT)).isFalse();
      assertThat(Messages.opensToTheSame(INTEGRITY, noise, CONTENT)).isFalse();
    }
  }

  private static SignedData signedData(byte[] message) {
    return SignedData.getInstance(ContentInfo.getInstance(message).getContent());
  }

  private static byte[] signed(SignedData data, ASN1Set certificates, ASN1Set infos) {
    return Der.write(
        new ContentInfo(
            CMSObjectIdentifiers.signedData,
            new SignedData(
                data.getDigestAlgorithms(),
                data.getEncapContentInfo(),
                certificates,
                null,
                infos)));
  }

  private static AuthEnvelopedData enveloped(byte[] message) {
    return AuthEnvelopedData.getInstance(ContentInfo.getInstance(message).getContent());
  }

  private static byte[] enveloped(AuthEnvelopedData data, ASN1Set recipients) {
    // Not by the typed class, which would not write an empty set.
    ASN1Sequence sequence = ASN1Sequence.getInstance(data.toASN1Primitive());
    ASN1EncodableVector fields = new ASN1EncodableVector();
    for (int n = 0; n < sequence.size(); n++) {
      fields.add(n == 1 ? recipients : sequence.getObjectAt(n));
    }
    return Der.write(
        new ContentInfo(
            CMSObjectIdentifiers.authEnvelopedData, new org.bouncycastle.asn1.DERSequence(fields)));
  }

  private static ASN1Set union(ASN1Set one, ASN1Set other) {
    ASN1EncodableVector all = new ASN1EncodableVector();
    one.forEach(all::add);
    other.forEach(all::add);
    return new DERSet(all);
  }
}

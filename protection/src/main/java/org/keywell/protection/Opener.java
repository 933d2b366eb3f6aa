package org.keywell.protection;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.ProtectionException.Fault;

/** Opens messages protected by one quality, and refuses all others. Thread-safe. */
public final class Opener {

  /** The first octet of DER, and of no header. */
  private static final byte SEQUENCE = 0x30;

  private static final Set<ASN1ObjectIdentifier> PROTECTING =
      Set.of(
          CMSObjectIdentifiers.signedData,
          CMSObjectIdentifiers.envelopedData,
          CMSObjectIdentifiers.authEnvelopedData);

  private final Quality quality;
  private final int maxBytes;
  private final @Nullable EnvelopeReader envelope;

  private Opener(Quality quality, int maxBytes, @Nullable EnvelopeReader envelope) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("a message has at least a byte");
    }
    this.quality = quality;
    this.maxBytes = maxBytes;
    this.envelope = envelope;
  }

  /**
   * For messages that are signed.
   *
   * @param maxBytes of a protected message, at least 1
   */
  public static Opener integrity(int maxBytes) {
    return new Opener(Quality.INTEGRITY, maxBytes, null);
  }

  /**
   * For messages that are signed, then encrypted for us.
   *
   * @param maxBytes of a protected message, at least 1
   * @throws IllegalArgumentException if senders would refuse to encrypt for the certificate
   */
  public static Opener privacy(int maxBytes, PrivateKey key, X509Certificate certificate) {
    return new Opener(Quality.PRIVACY, maxBytes, reader(key, certificate, 0));
  }

  /**
   * For messages that are encrypted for us, by anyone.
   *
   * @param maxBytes of a protected message, at least 1
   * @param knownKeys how many content keys are remembered, so that the next message under one needs
   *     no private key; 0 for none
   * @throws IllegalArgumentException if senders would refuse to encrypt for the certificate
   */
  public static Opener confidentiality(
      int maxBytes, PrivateKey key, X509Certificate certificate, int knownKeys) {
    return new Opener(Quality.CONFIDENTIALITY, maxBytes, reader(key, certificate, knownKeys));
  }

  private static EnvelopeReader reader(PrivateKey key, X509Certificate certificate, int knownKeys) {
    if (!Certificates.enciphers(certificate)) {
      throw new IllegalArgumentException("the certificate is not one to encrypt for");
    }
    return new EnvelopeReader(new RecipientName(certificate), key, knownKeys);
  }

  /** Returns the quality that messages must have. */
  public Quality quality() {
    return quality;
  }

  /**
   * Opens a message.
   *
   * @throws ProtectionException if it is not protected as required
   */
  public Opened open(byte[] message) throws ProtectionException {
    if (message.length > maxBytes) {
      throw new ProtectionException(Fault.TOO_LARGE);
    }
    if (message.length == 0 || message[0] != SEQUENCE) {
      throw new ProtectionException(Fault.NOT_PROTECTED);
    }
    if (envelope == null) {
      return signed(message);
    }
    byte[] inner = envelope.read(content(message, CMSObjectIdentifiers.authEnvelopedData));
    boolean cms = inner.length > 0 && inner[0] == SEQUENCE;
    if (cms != (quality == Quality.PRIVACY)) {
      throw new ProtectionException(Fault.WRONG_QUALITY);
    }
    return cms ? signed(inner) : new Opened(Entity.read(inner), List.of());
  }

  private static Opened signed(byte[] message) throws ProtectionException {
    SignedReader.Signed signed =
        SignedReader.read(content(message, CMSObjectIdentifiers.signedData));
    return new Opened(Entity.read(signed.entity()), signed.signer());
  }

  /** Returns the content of a {@code ContentInfo} of the given type. */
  private static ASN1Encodable content(byte[] message, ASN1ObjectIdentifier type)
      throws ProtectionException {
    Fields info = Fields.of(Der.read(message));
    ASN1ObjectIdentifier actual = info.oid();
    if (!actual.equals(type)) {
      throw new ProtectionException(
          PROTECTING.contains(actual) ? Fault.WRONG_QUALITY : Fault.NOT_PROTECTED);
    }
    ASN1Encodable content = info.explicit();
    info.end();
    return content;
  }
}

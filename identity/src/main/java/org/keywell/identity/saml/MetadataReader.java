package org.keywell.identity.saml;

import static org.keywell.identity.saml.SamlNames.METADATA_NS;
import static org.keywell.identity.saml.SamlNames.PROTOCOL_NS;

import java.io.ByteArrayInputStream;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.datatype.DatatypeFactory;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.saml.SamlMetadata.Entity;

/**
 * Reads signed metadata (SAML metadata, section 2): an EntityDescriptor, or an EntitiesDescriptor
 * with any number of them. A key is trusted because the metadata lists it; the rest of its
 * certificate is ignored (SAML V2.0 Metadata Interoperability Profile, section 2.5).
 */
final class MetadataReader {

  private final SamlDocuments documents;

  /** The key that must have signed it. */
  private final List<PublicKey> signer;

  /** The issuers to collect; others are skipped. */
  private final Set<String> issuers;

  MetadataReader(SamlDocuments documents, PublicKey signer, Set<String> issuers) {
    this.documents = documents;
    this.signer = List.of(signer);
    this.issuers = issuers;
  }

  /**
   * @throws ProofRefusedException if it is malformed, not signed as required, or has expired
   */
  SamlMetadata read(byte[] xml, Instant now) {
    SamlElement root = new SamlElement(documents.read(xml).getDocumentElement());
    if (!isGroup(root) && !isEntity(root)) {
      throw new ProofRefusedException(ProofRefusal.MALFORMED, "it is no metadata of SAML 2.0");
    }
    EnvelopedSignature.verify(root, signer);
    Instant validUntil = root.requiredTime("validUntil");
    if (!now.isBefore(validUntil)) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_VALID_NOW, "it was valid until " + validUntil);
    }
    Map<String, Entity> found = new HashMap<>();
    collect(root, validUntil, found);
    Optional<Duration> cacheDuration =
        root.attribute("cacheDuration").map(text -> duration(text, now));
    return new SamlMetadata(Map.copyOf(found), validUntil, cacheDuration);
  }

  private void collect(SamlElement element, Instant outer, Map<String, Entity> found) {
    Instant validUntil =
        element.time("validUntil").filter(inner -> inner.isBefore(outer)).orElse(outer);
    if (isGroup(element)) {
      for (SamlElement child : element.children()) {
        if (isGroup(child) || isEntity(child)) {
          collect(child, validUntil, found);
        }
      }
      return;
    }
    String entityId = element.required("entityID");
    if (issuers.contains(entityId)
        && found.put(entityId, new Entity(signingKeys(element), validUntil)) != null) {
      throw new ProofRefusedException(ProofRefusal.MALFORMED, "it has " + entityId + " twice");
    }
  }

  private static List<PublicKey> signingKeys(SamlElement entity) {
    List<PublicKey> keys = new ArrayList<>();
    for (SamlElement role : entity.children(METADATA_NS, "IDPSSODescriptor")) {
      List<String> protocols =
          List.of(role.required("protocolSupportEnumeration").strip().split("\\s+"));
      for (SamlElement descriptor : role.children(METADATA_NS, "KeyDescriptor")) {
        if (protocols.contains(PROTOCOL_NS)
            && descriptor.attribute("use").orElse("signing").equals("signing")) {
          addKeys(descriptor, keys);
        }
      }
    }
    return keys.stream().filter(AcceptedAlgorithms::key).distinct().toList();
  }

  private static void addKeys(SamlElement descriptor, List<PublicKey> keys) {
    SamlElement keyInfo = descriptor.child(XMLSignature.XMLNS, "KeyInfo");
    for (SamlElement data : keyInfo.children(XMLSignature.XMLNS, "X509Data")) {
      for (SamlElement certificate : data.children(XMLSignature.XMLNS, "X509Certificate")) {
        try {
          byte[] der = Base64.getMimeDecoder().decode(certificate.text());
          keys.add(
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der))
                  .getPublicKey());
        } catch (CertificateException | IllegalArgumentException e) {
          throw new ProofRefusedException(
              ProofRefusal.MALFORMED, "it has a certificate that cannot be read");
        }
      }
    }
  }

  /** Months and years count from now. */
  private static Duration duration(String text, Instant now) {
    try {
      return Duration.ofMillis(
          DatatypeFactory.newDefaultInstance()
              .newDuration(text.strip())
              .getTimeInMillis(Date.from(now)));
    } catch (IllegalArgumentException e) {
      throw new ProofRefusedException(
          ProofRefusal.MALFORMED, "it has a cacheDuration that is none");
    }
  }

  private static boolean isGroup(SamlElement element) {
    return element.is(METADATA_NS, "EntitiesDescriptor");
  }

  private static boolean isEntity(SamlElement element) {
    return element.is(METADATA_NS, "EntityDescriptor");
  }
}

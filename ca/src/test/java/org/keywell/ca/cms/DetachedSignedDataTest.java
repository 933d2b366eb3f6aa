package org.keywell.ca.cms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1UTCTime;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.ess.ESSCertIDv2;
import org.bouncycastle.asn1.ess.SigningCertificateV2;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSASSAPSSparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.CaChain;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.PemCertificates;

/** Against {@code openssl cms}, and against what RFC 5652 and those of its algorithms say. */
class DetachedSignedDataTest {

  private static final Instant SIGNED = Instant.parse("2026-03-01T12:00:00.987654Z");
  private static final SubjectKeyPair RSA = SubjectKeyPair.rsa(2048);
  private static final List<SubjectKeyPair> EC =
      List.of(SubjectKeyPair.ec("secp256r1"), SubjectKeyPair.ec("secp384r1"));

  @TempDir Path directory;

  static Stream<Arguments> combinations() {
    List<Arguments> combinations = new ArrayList<>();
    // Those of ML-DSA are tested apart: not every openssl verifies them.
    for (ProofScheme scheme : EnumSet.range(ProofScheme.RSASSA_PKCS1_V1_5, ProofScheme.ECDSA)) {
      for (ProofDigest digest : ProofDigest.values()) {
        for (SubjectKeyPair pair : scheme == ProofScheme.ECDSA ? EC : List.of(RSA)) {
          combinations.add(Arguments.of(scheme, digest, pair));
        }
      }
    }
    return combinations.stream();
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void opensslTakesTheDocumentAndNoOther(
      ProofScheme scheme, ProofDigest digest, SubjectKeyPair pair) throws Exception {
    for (Instant signingTime : new Instant[] {SIGNED, null}) {
      SignedDocument signed = SignedDocument.of(pair, scheme, digest, signingTime);
      OpenSsl openssl = new OpenSsl(directory);
      openssl.write(
          "root.pem", PemCertificates.write(List.of(SignedDocument.CA.chain().getLast())));
      Files.write(directory.resolve("document"), signed.document());
      Files.write(directory.resolve("container"), signed.container());
      verify(openssl);

      byte[] changed = signed.document().clone();
      changed[3] ^= 1;
      Files.write(directory.resolve("document"), changed);
      assertThatThrownBy(() -> verify(openssl))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("CMS_SignerInfo_verify_content:verification failure");
    }
  }

  /** The chain comes from the container; the root does not. */
  private static void verify(OpenSsl openssl) {
    openssl.run(
        "cms",
        "-verify",
        "-binary",
        "-inform",
        "DER",
        "-in",
        "container",
        "-content",
        "document",
        "-CAfile",
        "root.pem",
        "-purpose",
        "any",
        "-out",
        "verified");
  }

  /** RFC 4056, section 3: what is not named has defaults that would be wrong. */
  @ParameterizedTest
  @EnumSource(ProofDigest.class)
  void pssNamesItsHashItsMaskAndItsSalt(ProofDigest digest) throws Exception {
    SignerInformation signer = signer(SignedDocument.of(RSA, ProofScheme.RSASSA_PSS, digest, null));

    assertThat(signer.getEncryptionAlgOID()).isEqualTo(PKCSObjectIdentifiers.id_RSASSA_PSS.getId());
    RSASSAPSSparams parameters =
        RSASSAPSSparams.getInstance(
            signer.toASN1Structure().getDigestEncryptionAlgorithm().getParameters());
    assertThat(parameters.getHashAlgorithm().getAlgorithm().getId())
        .isEqualTo(signer.getDigestAlgOID());
    assertThat(parameters.getMaskGenAlgorithm().getAlgorithm())
        .isEqualTo(PKCSObjectIdentifiers.id_mgf1);
    assertThat(
            AlgorithmIdentifier.getInstance(parameters.getMaskGenAlgorithm().getParameters())
                .getAlgorithm()
                .getId())
        .isEqualTo(signer.getDigestAlgOID());
    assertThat(parameters.getSaltLength().intValueExact()).isEqualTo(digest.lengthBytes());
  }

  /** RFC 5754, sections 2 and 3.3. */
  @Test
  void ecdsaAndHashFunctionsHaveNoParameters() throws Exception {
    SignerInformation signer =
        signer(SignedDocument.of(EC.getFirst(), ProofScheme.ECDSA, ProofDigest.SHA_384, null));

    assertThat(signer.toASN1Structure().getDigestEncryptionAlgorithm())
        .isEqualTo(new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA384));
    assertThat(signer.toASN1Structure().getDigestAlgorithm().getParameters()).isNull();
  }

  /** EN 319 122-1, clause 6.3: content-type, message-digest and the certificate; and the time. */
  @ParameterizedTest
  @EnumSource(ProofDigest.class)
  void whatIsSignedNamesTheDocumentAndTheCertificate(ProofDigest digest) throws Exception {
    SignedDocument signed = SignedDocument.of(RSA, ProofScheme.RSASSA_PSS, digest, SIGNED);
    AttributeTable attributes = signer(signed).getSignedAttributes();

    assertThat(attributes.size()).isEqualTo(4);
    assertThat(value(attributes, CMSAttributes.contentType).toString())
        .isEqualTo(PKCSObjectIdentifiers.data.getId());
    assertThat(value(attributes, CMSAttributes.messageDigest).getEncoded(ASN1Encoding.DER))
        .endsWith(SignedDocument.hash(digest, signed.document()));
    assertThat(ASN1UTCTime.getInstance(value(attributes, CMSAttributes.signingTime)).getDate())
        .isEqualTo(Instant.parse("2026-03-01T12:00:00Z"));
    ESSCertIDv2[] named =
        SigningCertificateV2.getInstance(
                value(attributes, PKCSObjectIdentifiers.id_aa_signingCertificateV2))
            .getCerts();
    assertThat(named).hasSize(1);
    assertThat(named[0].getCertHash())
        .isEqualTo(SignedDocument.hash(digest, signed.certified().certificate()));
    assertThat(named[0].getIssuerSerial().getSerial().getValue())
        .isEqualTo(signed.certified().serial());
  }

  /** EN 319 142-1, table 1: in a PDF the signature dictionary has the time. */
  @Test
  void withoutASigningTimeThereIsNone() throws Exception {
    AttributeTable attributes =
        signer(SignedDocument.of(RSA, ProofScheme.RSASSA_PKCS1_V1_5, ProofDigest.SHA_256, null))
            .getSignedAttributes();

    assertThat(attributes.size()).isEqualTo(3);
    assertThat(attributes.get(CMSAttributes.signingTime)).isNull();
  }

  /** A PDF wants DER (ISO 32000-1, 12.8.3.3.1), and a record gives the same octets again. */
  @ParameterizedTest
  @MethodSource("combinations")
  void theSamePartsGiveTheSameOctetsInDer(
      ProofScheme scheme, ProofDigest digest, SubjectKeyPair pair) throws Exception {
    SignedDocument signed = SignedDocument.of(pair, scheme, digest, SIGNED);
    byte[] container = signed.container();

    assertThat(ASN1Primitive.fromByteArray(container).getEncoded(ASN1Encoding.DER))
        .isEqualTo(container);
    assertThat(
            DetachedSignedData.of(
                new SignedAttributes(digest, signed.attributes().der().clone()),
                scheme,
                signed.signature(),
                signed.certified().certificate(),
                CaChain.of(signed.chain())))
        .isEqualTo(container);
    assertThat(ASN1Set.getInstance(signed.attributes().der()).getEncoded(ASN1Encoding.DER))
        .isEqualTo(signed.attributes().der());
    assertThat(ASN1Sequence.getInstance(container).size()).isEqualTo(2);
  }

  @Test
  void theRootIsLeftToWhoVerifies() throws Exception {
    CMSSignedData data =
        new CMSSignedData(
            SignedDocument.of(RSA, ProofScheme.RSASSA_PSS, ProofDigest.SHA_256, null).container());

    assertThat(data.isDetachedSignature()).isTrue();
    assertThat(data.getVersion()).isEqualTo(1);
    assertThat(data.getCertificates().getMatches(null)).hasSize(2);
  }

  private static ASN1Primitive value(
      AttributeTable attributes, org.bouncycastle.asn1.ASN1ObjectIdentifier type) {
    Attribute attribute = attributes.get(type);
    assertThat(attribute.getAttrValues().size()).isEqualTo(1);
    return attribute.getAttrValues().getObjectAt(0).toASN1Primitive();
  }

  private static SignerInformation signer(SignedDocument signed) throws Exception {
    return new CMSSignedData(new CMSProcessableByteArray(signed.document()), signed.container())
        .getSignerInfos()
        .getSigners()
        .iterator()
        .next();
  }
}

package org.keywell.ca.cms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.SignerInformationVerifier;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.PemCertificates;

/** Keys of the JDK, certified (RFC 9881) and in containers (RFC 9882), read by others. */
class MlDsaContainerTest {

  /** Names an openssl of version 3.5 or later. */
  private static final String PROGRAM = "KEYWELL_TEST_OPENSSL_3_5";

  @TempDir Path directory;

  private static SignedDocument signed(ProofScheme scheme) {
    return SignedDocument.of(SubjectKeyPair.mlDsa(scheme), scheme, ProofDigest.SHA_512, null);
  }

  @ParameterizedTest
  @EnumSource(value = ProofScheme.class, mode = EnumSource.Mode.MATCH_ALL, names = "ML_DSA_.*")
  void theCertificateHasTheKeyAsTheJdkEncodesIt(ProofScheme scheme) throws Exception {
    SubjectKeyPair pair = SubjectKeyPair.mlDsa(scheme);
    SignedDocument signed = SignedDocument.of(pair, scheme, ProofDigest.SHA_512, null);
    X509CertificateHolder certificate = new X509CertificateHolder(signed.certified().certificate());

    SubjectPublicKeyInfo key = certificate.getSubjectPublicKeyInfo();
    assertThat(key.getEncoded("DER")).isEqualTo(pair.encoded());
    assertThat(key.getAlgorithm().getParameters()).as("RFC 9881, section 2").isNull();
    assertThat(signed.certificate().getPublicKey()).isEqualTo(pair.publicKey());
  }

  @ParameterizedTest
  @EnumSource(value = ProofScheme.class, mode = EnumSource.Mode.MATCH_ALL, names = "ML_DSA_.*")
  void bouncyCastleTakesTheDocumentAndNoOther(ProofScheme scheme) throws Exception {
    SignedDocument signed = signed(scheme);

    assertThat(verifies(signed, signed.document())).isTrue();
    byte[] changed = signed.document().clone();
    changed[3] ^= 1;
    assertThatThrownBy(() -> verifies(signed, changed))
        .hasMessageContaining("message-digest attribute value does not match");
    assertThat(signer(signed, signed.document()).toASN1Structure().getDigestEncryptionAlgorithm())
        .as("RFC 9882, section 3.3: the key's own identifier, without parameters")
        .isEqualTo(
            SubjectPublicKeyInfo.getInstance(signed.certificate().getPublicKey().getEncoded())
                .getAlgorithm());
  }

  @ParameterizedTest
  @EnumSource(value = ProofScheme.class, mode = EnumSource.Mode.MATCH_ALL, names = "ML_DSA_.*")
  void opensslTakesTheDocumentAndNoOther(ProofScheme scheme) throws Exception {
    String program = System.getenv(PROGRAM);
    assumeTrue(program != null, PROGRAM + " names no openssl of version 3.5 or later");
    SignedDocument signed = signed(scheme);
    OpenSsl openssl = new OpenSsl(directory, Objects.requireNonNull(program));
    openssl.write("root.pem", PemCertificates.write(List.of(signed.chain().getLast())));
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

  private static void verify(OpenSsl openssl) {
    openssl.run(
        ("cms -verify -binary -inform DER -in container -content document -CAfile root.pem"
                + " -purpose any -out verified")
            .split(" "));
  }

  private static boolean verifies(SignedDocument signed, byte[] document) throws Exception {
    SignerInformationVerifier verifier =
        new JcaSimpleSignerInfoVerifierBuilder()
            .setProvider(new BouncyCastleProvider())
            .build(new X509CertificateHolder(signed.certified().certificate()));
    return signer(signed, document).verify(verifier);
  }

  private static SignerInformation signer(SignedDocument signed, byte[] document) throws Exception {
    return new CMSSignedData(new CMSProcessableByteArray(document), signed.container())
        .getSignerInfos()
        .getSigners()
        .iterator()
        .next();
  }
}

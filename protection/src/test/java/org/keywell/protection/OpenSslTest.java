package org.keywell.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.protection.Messages.MAX;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.protection.ProtectionException.Fault;
import org.keywell.testkit.OpenSsl;

/** What {@code openssl cms} writes opens here, in one form and no other; it reads what we write. */
@Tag("process")
final class OpenSslTest {

  private static final Party TAX = Party.rsa("tax");
  private static final Party EC = Party.ec("ec", "secp384r1");
  private static final Party KEYWELL = Party.rsa("keywell");
  private static final Content CONTENT = Messages.small();
  private static final List<String> OAEP =
      List.of("-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256");

  @TempDir private static Path directory;
  private static OpenSsl openssl;

  @BeforeAll
  static void files() throws Exception {
    openssl = new OpenSsl(directory);
    write("tax", TAX);
    write("ec", EC);
    write("keywell", KEYWELL);
  }

  private static void write(String name, Party party) throws Exception {
    openssl.write(name + ".pem", OpenSsl.pem(party.chain()));
    openssl.write(
        name + ".key",
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(party.key().getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
  }

  @BeforeEach
  void entity() throws IOException {
    Files.write(directory.resolve("entity"), Entity.write(CONTENT));
  }

  @ParameterizedTest
  @CsvSource({
    "tax, sha512, ''",
    "tax, sha256, ''",
    "tax, sha384, -keyid",
    "ec, sha512, ''",
    "ec, sha256, ''",
    "tax, sha512, -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:digest",
    "tax, sha512, -cades",
  })
  void itsSignaturesOpen(String signer, String digest, String options) throws Exception {
    if (options.equals("-keyid")) {
      openssl.run(
          "req",
          "-x509",
          "-key",
          "tax.key",
          "-subj",
          "/CN=tax",
          "-out",
          "tax-keyid.pem",
          "-days",
          "1");
      sign("tax.key", "tax-keyid.pem", digest, "-nodetach", "-keyid");
    } else {
      sign(signer + ".key", signer + ".pem", digest, append("-nodetach", options));
    }

    Opened opened = Opener.integrity(MAX).open(read("signed"));
    Messages.same(opened, CONTENT);
    assertThat(opened.signer()).hasSize(1);
  }

  @Test
  void certificatesAboveTheSignersComeInOrder() throws Exception {
    Party root = Party.rsa("root");
    Party middle = issued("middle", root, 2);
    Party leaf = issued("leaf", middle, 3);
    write("leaf", leaf);
    openssl.write(
        "above.pem",
        OpenSsl.pem(List.of(root.certificate(), TAX.certificate(), middle.certificate())));
    sign("leaf.key", "leaf.pem", "sha512", "-nodetach", "-certfile", "above.pem");

    assertThat(Opener.integrity(MAX).open(read("signed")).signer())
        .containsExactly(leaf.certificate(), middle.certificate(), root.certificate());
  }

  private static Party issued(String name, Party issuer, long serial) throws Exception {
    var pair = Party.pair("RSA", 2048);
    String above = issuer.certificate().getSubjectX500Principal().getName().substring(3);
    return new Party(
        pair.getPrivate(),
        List.of(Party.certify(name, serial, pair.getPublic(), Party.BOTH, above, issuer.key())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha256", "sha384", "sha512"})
  void whatItSignsAndEncryptsOpens(String oaepDigest) throws Exception {
    sign("tax.key", "tax.pem", "sha512", "-nodetach");
    encrypt(
        "signed",
        "-aes-256-gcm",
        "-keyopt",
        "rsa_padding_mode:oaep",
        "-keyopt",
        "rsa_oaep_md:" + oaepDigest);

    Opened opened = privacy().open(read("encrypted"));
    Messages.same(opened, CONTENT);
    assertThat(opened.signer()).isEqualTo(TAX.chain());
  }

  @Test
  void whatItEncryptsForSeveralOpens() throws Exception {
    // Each option for a key belongs to the recipient before it.
    List<String> options = new ArrayList<>(OAEP);
    options.addAll(List.of("-recip", "tax.pem", "-aes-256-gcm"));
    encrypt("entity", options.toArray(String[]::new));
    Messages.same(confidentiality().open(read("encrypted")), CONTENT);
  }

  @ParameterizedTest
  @CsvSource({
    "'-md sha1 -nodetach', algorithm-not-allowed",
    "'-md sha224 -nodetach', algorithm-not-allowed",
    "'-md sha3-256 -nodetach', algorithm-not-allowed",
    "'-md sha512 -nodetach -keyopt rsa_padding_mode:pss', algorithm-not-allowed",
    "'-md sha512 -nodetach -noattr', malformed",
    "'-md sha512 -nodetach -nocerts', malformed",
    "'-md sha512 -nodetach -stream', malformed",
    "'-md sha512', malformed",
    "'-md sha512 -nodetach -signer ec.pem -inkey ec.key', malformed",
    "'-md sha512 -nodetach -econtent_type 1.2.3.4', malformed",
  })
  void otherSignaturesAreRefused(String options, String fault) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "cms",
                "-sign",
                "-binary",
                "-in",
                "entity",
                "-outform",
                "DER",
                "-out",
                "signed",
                "-signer",
                "tax.pem",
                "-inkey",
                "tax.key"));
    command.addAll(List.of(options.split(" ")));
    openssl.run(command.toArray(String[]::new));
    Messages.refused(Opener.integrity(MAX), read("signed"), fault(fault));
  }

  @ParameterizedTest
  @CsvSource({
    "'-aes-256-gcm', algorithm-not-allowed",
    "'-aes-256-gcm -keyopt rsa_padding_mode:oaep', algorithm-not-allowed",
    "'-aes-128-gcm OAEP', algorithm-not-allowed",
    "'-aes-256-cbc OAEP', wrong-quality",
    "'-aes-256-gcm OAEP -stream', malformed",
  })
  void otherEncryptionIsRefused(String options, String fault) throws Exception {
    encrypt("entity", options.replace("OAEP", String.join(" ", OAEP)).split(" "));
    Messages.refused(confidentiality(), read("encrypted"), fault(fault));
  }

  @Test
  void itVerifiesWhatWeSign() throws Exception {
    verify(Sealer.integrity(TAX.signer()).seal(CONTENT), "tax.pem");
    verify(Sealer.integrity(TAX.signer(SignatureScheme.RSASSA_PSS)).seal(CONTENT), "tax.pem");
    verify(Sealer.integrity(EC.signer()).seal(CONTENT), "ec.pem");
  }

  @Test
  void itDecryptsAndVerifiesWhatWeSignAndEncrypt() throws Exception {
    verify(decrypt(Sealer.privacy(TAX.signer(), KEYWELL.certificate()).seal(CONTENT)), "tax.pem");
  }

  @Test
  void itDecryptsWhatWeEncryptUnderASharedKey() throws Exception {
    Sealer sealer = Sealer.confidentiality(KEYWELL.certificate(), Sealer.UNLIMITED_REUSE);
    for (int n = 0; n < 3; n++) {
      assertThat(decrypt(sealer.seal(CONTENT))).isEqualTo(Entity.write(CONTENT));
    }
  }

  private static void verify(byte[] message, String root) throws Exception {
    Files.write(directory.resolve("message"), message);
    openssl.run(
        "cms",
        "-verify",
        "-binary",
        "-inform",
        "DER",
        "-in",
        "message",
        "-CAfile",
        root,
        "-purpose",
        "any",
        "-out",
        "verified");
    assertThat(read("verified")).isEqualTo(Entity.write(CONTENT));
  }

  private static byte[] decrypt(byte[] message) throws Exception {
    Files.write(directory.resolve("message"), message);
    openssl.run(
        "cms",
        "-decrypt",
        "-binary",
        "-inform",
        "DER",
        "-in",
        "message",
        "-recip",
        "keywell.pem",
        "-inkey",
        "keywell.key",
        "-out",
        "decrypted");
    return read("decrypted");
  }

  private static void sign(String key, String certificate, String digest, String... options)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "cms",
                "-sign",
                "-md",
                digest,
                "-binary",
                "-in",
                "entity",
                "-outform",
                "DER",
                "-out",
                "signed",
                "-signer",
                certificate,
                "-inkey",
                key));
    command.addAll(List.of(options));
    openssl.run(command.toArray(String[]::new));
  }

  private static void encrypt(String file, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "cms",
                "-encrypt",
                "-binary",
                "-in",
                file,
                "-outform",
                "DER",
                "-out",
                "encrypted",
                "-recip",
                "keywell.pem"));
    command.addAll(List.of(options));
    openssl.run(command.toArray(String[]::new));
  }

  private static String[] append(String option, String options) {
    return (option + " " + options).strip().split(" ");
  }

  private static Fault fault(String label) {
    return Fault.valueOf(label.toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
  }

  private static byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  private static Opener privacy() {
    return Opener.privacy(MAX, KEYWELL.key(), KEYWELL.certificate());
  }

  private static Opener confidentiality() {
    return Opener.confidentiality(MAX, KEYWELL.key(), KEYWELL.certificate(), 8);
  }
}

package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.DssVerdicts;
import org.keywell.acceptance.running.ForeignProgram;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.YearsAhead;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.token.PemCertificates;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;
import org.keywell.dss.BaselineLevel;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentExtender;
import org.keywell.dss.DocumentExtensionException;
import org.keywell.dss.DocumentFormat;
import org.keywell.dss.DocumentSignRequest;
import org.keywell.dss.DocumentToSign;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.SignedDocuments;
import org.keywell.dss.ValidationSources;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.FreePort;

/**
 * What DSS, openssl and pyHanko say of each level today, and with a clock that is years ahead, when
 * the service is gone. The time stamp unit's certificate lives for twelve years.
 */
@Tag("lint")
@Timeout(600)
final class LongTermIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = 40;
  private static final String TWELVE_YEARS = "4383d";
  private static final List<Integer> YEARS = List.of(0, 10, 13);

  /**
   * Document, judge; then verdicts after 0, 10 and 13 years. Nothing is fetched for DSS, so that it
   * does not see a revocation that is not in the document. openssl needs a list for each
   * certificate below the anchor that does not state {@code noRevAvail}. pyHanko does not know that
   * statement, asks for proof that a list existed while the certificate was valid, which is what
   * level LTA has, and in the past finds no list of a CA that is not an anchor.
   */
  private static final String EXPECTED =
      """
      revoked-earlier-T.pdf DSS: passed, OUT_OF_BOUNDS_NO_POE, OUT_OF_BOUNDS_NO_POE
      revoked-earlier-T.pdf openssl: certificate-revoked, unable-to-get-certificate-CRL, certificate-has-expired
      revoked-earlier-T.pdf pyHanko: NO_POE, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      revoked-later-LT.pdf DSS: passed, passed, REVOKED_NO_POE
      revoked-later-LT.pdf openssl: passed, passed, certificate-has-expired
      revoked-later-LT.pdf pyHanko: REVOCATION_OUT_OF_BOUNDS_NO_POE, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      revoked-later-LTA.pdf DSS: passed, passed, REVOKED_NO_POE
      revoked-later-LTA.pdf openssl: passed, passed, certificate-has-expired
      revoked-later-LTA.pdf pyHanko: REVOCATION_OUT_OF_BOUNDS_NO_POE, REVOCATION_OUT_OF_BOUNDS_NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      short-lived-B.pdf DSS: passed, OUT_OF_BOUNDS_NOT_REVOKED, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-B.pdf openssl: passed, certificate-has-expired, certificate-has-expired
      short-lived-B.pdf pyHanko: passed, OUT_OF_BOUNDS_NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      short-lived-B.xml DSS: passed, OUT_OF_BOUNDS_NOT_REVOKED, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-B.xml openssl: passed, certificate-has-expired, certificate-has-expired
      short-lived-LT.pdf DSS: passed, passed, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-LT.pdf openssl: passed, passed, certificate-has-expired
      short-lived-LT.pdf pyHanko: passed, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      short-lived-LT.xml DSS: passed, passed, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-LT.xml openssl: passed, passed, certificate-has-expired
      short-lived-LTA.pdf DSS: passed, passed, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-LTA.pdf openssl: passed, passed, certificate-has-expired
      short-lived-LTA.pdf pyHanko: passed, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      short-lived-LTA.xml DSS: passed, passed, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-LTA.xml openssl: passed, passed, certificate-has-expired
      short-lived-T.pdf DSS: passed, passed, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-T.pdf openssl: passed, unable-to-get-certificate-CRL, certificate-has-expired
      short-lived-T.pdf pyHanko: passed, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      short-lived-T.xml DSS: passed, passed, OUT_OF_BOUNDS_NOT_REVOKED
      short-lived-T.xml openssl: passed, unable-to-get-certificate-CRL, certificate-has-expired
      standard-B.pdf DSS: passed, OUT_OF_BOUNDS_NO_POE, OUT_OF_BOUNDS_NO_POE
      standard-B.pdf openssl: passed, certificate-has-expired, certificate-has-expired
      standard-B.pdf pyHanko: passed, OUT_OF_BOUNDS_NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      standard-B.xml DSS: passed, OUT_OF_BOUNDS_NO_POE, OUT_OF_BOUNDS_NO_POE
      standard-B.xml openssl: passed, certificate-has-expired, certificate-has-expired
      standard-LT.pdf DSS: passed, passed, OUT_OF_BOUNDS_NO_POE
      standard-LT.pdf openssl: passed, passed, certificate-has-expired
      standard-LT.pdf pyHanko: passed, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      standard-LT.xml DSS: passed, passed, OUT_OF_BOUNDS_NO_POE
      standard-LT.xml openssl: passed, passed, certificate-has-expired
      standard-LTA.pdf DSS: passed, passed, OUT_OF_BOUNDS_NO_POE
      standard-LTA.pdf openssl: passed, passed, certificate-has-expired
      standard-LTA.pdf pyHanko: passed, REVOCATION_OUT_OF_BOUNDS_NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      standard-LTA.xml DSS: passed, passed, OUT_OF_BOUNDS_NO_POE
      standard-LTA.xml openssl: passed, passed, certificate-has-expired
      standard-T.pdf DSS: passed, OUT_OF_BOUNDS_NO_POE, OUT_OF_BOUNDS_NO_POE
      standard-T.pdf openssl: passed, unable-to-get-certificate-CRL, certificate-has-expired
      standard-T.pdf pyHanko: passed, NO_POE, CERTIFICATE_CHAIN_GENERAL_FAILURE
      standard-T.xml DSS: passed, OUT_OF_BOUNDS_NO_POE, OUT_OF_BOUNDS_NO_POE
      standard-T.xml openssl: passed, unable-to-get-certificate-CRL, certificate-has-expired
      """;

  /** What the judges saw stays there. */
  private final Path seen = Path.of("target", "lint", "long-term").toAbsolutePath();

  @TempDir private Path home;
  private final Set<String> documents = new TreeSet<>();
  private int port;
  private Site site;
  private RunningKeywell keywell;
  private KeywellClient client;
  private List<X509Certificate> anchors;
  private DocumentExtender extender;

  @BeforeEach
  void start() throws Exception {
    port = FreePort.find();
    site = Site.create(home);
    site.stock(SPEC, KEYS);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, KEYS),
                Map.of(
                    "keywell.ca.crl.uri",
                    "http://127.0.0.1:%d/ca/crl/".formatted(port),
                    "keywell.ca.crl.port",
                    Integer.toString(port),
                    "keywell.ca.crl.fresh",
                    "1s",
                    "keywell.ca.profile.crls-by-day",
                    "true",
                    "keywell.ca.issuing.validity",
                    TWELVE_YEARS,
                    "keywell.tsa.enabled",
                    "true",
                    "keywell.tsa.validity",
                    TWELVE_YEARS)));
    keywell.awaitLoaded(SPEC, KEYS);
    client = new KeywellClient(keywell.http().base());
    anchors = List.of(PemCertificates.read(client.chainPem()).getLast());
    extender = DocumentExtender.withTimestampsOf(client, ValidationSources.trusting(anchors));
    Files.createDirectories(seen);
    Files.writeString(seen.resolve("root.pem"), PemCertificates.write(anchors));
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    keywell.close();
    site.close();
  }

  @Test
  void eachLevelLastsAsLongAsItPromises() throws Exception {
    for (String profile : List.of("standard", "short-lived")) {
      for (DocumentFormat format : List.of(DocumentFormat.PADES, DocumentFormat.XADES_ENVELOPED)) {
        for (BaselineLevel level : BaselineLevel.values()) {
          keep(profile + "-" + level, signed(format, profile, level).document());
        }
      }
    }
    revokedAfterTheTimeStamp();
    revokedBeforeTheTimeStamp();

    Map<String, List<String>> verdicts = new TreeMap<>();
    for (int years : YEARS) {
      if (years > 0) {
        keywell.close();
      }
      judge("DSS", dss(years), verdicts);
      judge("openssl", python("openssl_verdicts.py", years, documents.stream()), verdicts);
      judge(
          "pyHanko",
          python(
              "pyhanko_verdicts.py",
              years,
              documents.stream().filter(name -> name.endsWith(".pdf"))),
          verdicts);
    }

    assertThat(
            verdicts.entrySet().stream()
                .map(row -> row.getKey() + ": " + String.join(", ", row.getValue()) + "\n")
                .collect(Collectors.joining()))
        .isEqualTo(EXPECTED);
  }

  private SignedDocuments signed(DocumentFormat format, String profile, BaselineLevel level)
      throws Exception {
    KeywellDocumentSigner signer =
        level == BaselineLevel.B
            ? new KeywellDocumentSigner(client)
            : KeywellDocumentSigner.withTimestampsOfTheService(client);
    boolean further = level.compareTo(BaselineLevel.T) > 0;
    return (further ? signer.extendingTo(level, ValidationSources.trusting(anchors)) : signer)
        .sign(
            DocumentSignRequest.by(Signer.named("Astrid Exempel"))
                .keySpec(SPEC.label())
                .profile(profile)
                .document(DocumentToSign.of(content(format), format))
                .build());
  }

  private static Document content(DocumentFormat format) throws IOException {
    return format == DocumentFormat.PADES
        ? Document.read(Path.of("..", "launcher", "demo.pdf"))
        : new Document("contract.xml", "<contract>One boat</contract>".getBytes(UTF_8));
  }

  private void keep(String name, Document document) throws IOException {
    String suffix = document.name().substring(document.name().lastIndexOf('.'));
    Path file = seen.resolve(name + suffix);
    Files.write(file, document.content());
    documents.add(file.getFileName().toString());
  }

  private void revokedAfterTheTimeStamp() throws Exception {
    SignedDocuments signed = signed(DocumentFormat.PADES, "standard", BaselineLevel.T);
    revoke(signed);
    for (BaselineLevel level : List.of(BaselineLevel.LT, BaselineLevel.LTA)) {
      keep("revoked-later-" + level, extender.extend(signed.document(), level));
    }
  }

  private void revokedBeforeTheTimeStamp() throws Exception {
    SignedDocuments signed = signed(DocumentFormat.PADES, "standard", BaselineLevel.B);
    revoke(signed);
    Document stamped = extender.extend(signed.document(), BaselineLevel.T);
    keep("revoked-earlier-T", stamped);
    assertThatThrownBy(() -> extender.extend(stamped, BaselineLevel.LT))
        .isInstanceOf(DocumentExtensionException.class)
        .hasMessageContaining("revoked");
  }

  /** Revocations are at whole seconds. */
  private void revoke(SignedDocuments signed) throws Exception {
    X509Certificate certificate = signed.certificateChain().getFirst();
    Thread.sleep(1000);
    HttpApi.Answer answer =
        keywell
            .http()
            .post(
                "/ca/revocations",
                "application/json",
                HttpRequest.BodyPublishers.ofString(
                    "{\"serial\": \"%s\", \"reason\": \"superseded\"}"
                        .formatted(certificate.getSerialNumber().toString(16))));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    URI list = CrlShard.namedBy(certificate).orElseThrow();
    CertificateFactory certificates = CertificateFactory.getInstance("X.509");
    Await.until(
        "the revocation is in its list",
        () -> {
          try (var in = list.toURL().openStream()) {
            return ((X509CRL) certificates.generateCRL(in)).isRevoked(certificate);
          }
        });
  }

  private List<String> dss(int years) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DssVerdicts.class.getName()));
    command.addAll(arguments(documents.stream()));
    return ForeignProgram.run(seen, YearsAhead.environment(years), command);
  }

  private List<String> python(String script, int years, Stream<String> names) throws Exception {
    return ForeignProgram.python(
        seen,
        YearsAhead.environment(years),
        LongTermIT.class,
        script,
        arguments(names).toArray(String[]::new));
  }

  private static List<String> arguments(Stream<String> names) {
    return Stream.concat(Stream.of("root.pem"), names).toList();
  }

  /** Lines of verdicts have the document's name and what is said of it. */
  private static void judge(String judge, List<String> said, Map<String, List<String>> verdicts) {
    System.out.println(judge + ":" + String.join(System.lineSeparator() + "  ", said));
    said.stream()
        .map(line -> line.split(" ", -1))
        .filter(words -> words[0].equals("verdict"))
        .forEach(words ->
            verdicts
                .computeIfAbsent(words[1] + " " + judge, row -> new ArrayList<>())
                .add(words[2]));
  }
}

package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.ocsp.SampleUnit;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.signing.ca.SampleCertificates.Sample;

/**
 * Linters of other makers find no error in any certificate, list of revoked ones or OCSP answer,
 * and a parser that is not ours reads how the signer was identified. {@code ./keywell test --lint}
 * sets the linters up. What was looked at stays in {@code target/lint}.
 */
@Tag("lint")
@Timeout(300)
final class CertificateLintIT {

  private static final Path OUT = Path.of("target", "lint");

  /** Of pkilint: a severity and the finding's code. */
  private static final Pattern ERROR =
      Pattern.compile(",(?:ERROR|FATAL),([a-z0-9_.-]+),", Pattern.CASE_INSENSITIVE);

  /** Of zlint. */
  private static final Pattern ZLINT_ERROR =
      Pattern.compile("\"([a-z0-9_]+)\":\\{\"result\":\"(?:error|fatal)\"");

  /** Rules for TLS, S/MIME and the signing of code, which these certificates are not for. */
  private static final String NOT_FOR_SIGNERS =
      "CABF_BR,CABF_EV,CABF_SMIME_BR,CABF_CS_BR,Apple,Chrome,Mozilla";

  /**
   * pkilint 0.13.3 goes by EN 319 412-2 V2.3.1. By V2.5.1 (2026-08), GEN-4.3.11-2 and GEN-4.4.1-8,
   * a certificate with the validity-assured extension needs neither CRL nor OCSP; by RFC 9608 it
   * must not have them.
   */
  private static final Set<String> SHORT_LIVED =
      Set.of(
          "etsi.en_319_412_2.gen-4.3.11-2.crldp_extension_missing",
          "etsi.en_319_412_2.gen-4.4.1-8.ocsp_aia_access_method_absent");

  @TestFactory
  Stream<DynamicTest> everyCertificate() throws Exception {
    Files.createDirectories(OUT);
    Path profiles = Path.of(Objects.requireNonNull(getClass().getResource("profiles")).toURI());
    List<DynamicTest> tests = new ArrayList<>();
    for (Sample sample : SampleCertificates.issue(profiles)) {
      Path file = OUT.resolve(sample.name() + ".pem");
      Files.writeString(file, PemCertificates.write(List.of(sample.certificate())));
      tests.add(
          DynamicTest.dynamicTest("pkilint, RFC 5280: " + sample.name(), () -> lintByPkix(file)));
      tests.add(DynamicTest.dynamicTest("zlint: " + sample.name(), () -> zlint(file)));
      String profile = sample.profile();
      // With default settings a certificate claims nothing by ETSI's norms; nor does the CA's.
      if (profile != null && !profile.startsWith("default-")) {
        tests.add(
            DynamicTest.dynamicTest(
                "pkilint, ETSI: " + sample.name(), () -> lintByEtsi(profile, file)));
      }
      if (sample.name().endsWith("-identified")) {
        tests.add(
            DynamicTest.dynamicTest(
                "who identified the signer: " + sample.name(), () -> readAuthentication(file)));
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> everyList() throws IOException {
    Files.createDirectories(OUT);
    List<DynamicTest> tests = new ArrayList<>();
    for (SampleLists.Sample sample : SampleLists.sign()) {
      Path file = OUT.resolve(sample.name() + ".crl.pem");
      Files.writeString(
          file,
          "-----BEGIN X509 CRL-----\n%s\n-----END X509 CRL-----\n"
              .formatted(Base64.getMimeEncoder().encodeToString(sample.crl())));
      tests.add(
          DynamicTest.dynamicTest(
              "pkilint, RFC 5280: " + sample.name(),
              () -> lintList(sample.authorities() ? "ARL" : "CRL", file)));
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> everyOcspAnswer() throws Exception {
    Files.createDirectories(OUT);
    List<DynamicTest> tests = new ArrayList<>();
    for (CaKeySpec spec : CaKeySpec.values()) {
      for (Map.Entry<String, byte[]> answer :
          SampleUnit.answers(SoftwareCa.issuingKey(spec)).entrySet()) {
        Path file = OUT.resolve("%s-%s.ocsp".formatted(answer.getKey(), spec.label()));
        Files.write(file, answer.getValue());
        tests.add(
            DynamicTest.dynamicTest(
                "pkilint, RFC 6960: " + file.getFileName(), () -> lintOcsp(file)));
      }
    }
    return tests.stream();
  }

  private static void lintOcsp(Path file) throws Exception {
    String output =
        run(
            linter("lint_ocsp_response"),
            "lint",
            "--document-format",
            "DER",
            "-s",
            "ERROR",
            "-f",
            "CSV",
            file.toString());
    assertThat(codes(ERROR, output)).isEmpty();
    assertThat(output).doesNotContain("Failed to load");
  }

  private static void lintList(String type, Path file) throws Exception {
    assertThat(
            codes(
                ERROR,
                run(
                    linter("lint_crl"),
                    "lint",
                    "-t",
                    type,
                    "-p",
                    "PKIX",
                    "-s",
                    "ERROR",
                    "-f",
                    "CSV",
                    file.toString())))
        .isEmpty();
  }

  private static Path linter(String name) {
    String linters =
        Objects.requireNonNull(System.getenv("KEYWELL_TEST_LINTERS"), "./keywell test --lint");
    return Path.of(linters, "bin", name);
  }

  private static void lintByPkix(Path file) throws Exception {
    assertThat(
            codes(
                ERROR,
                run(linter("lint_pkix_cert"), "lint", "-s", "ERROR", "-f", "CSV", file.toString())))
        .isEmpty();
  }

  private static void lintByEtsi(String profile, Path file) throws Exception {
    String type =
        profile.equals("qualified")
            ? "QCP-N-QSCD-EIDAS-FINAL-CERTIFICATE"
            : "NCP-NATURAL-PERSON-CERTIFICATE";
    String output =
        run(
            linter("lint_etsi_cert"),
            "lint",
            "-t",
            type,
            "-s",
            "ERROR",
            "-f",
            "CSV",
            file.toString());
    assertThat(codes(ERROR, output))
        .isEqualTo(profile.equals("short-lived") ? SHORT_LIVED : Set.of());
  }

  private static void zlint(Path file) throws Exception {
    String output = run(linter("zlint"), "-excludeSources", NOT_FOR_SIGNERS, file.toString());
    assertThat(output).contains("\"result\":\"pass\"");
    assertThat(codes(ZLINT_ERROR, output)).isEmpty();
  }

  private static Set<String> codes(Pattern finding, String output) {
    return finding
        .matcher(output)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** pyasn1 finds the XML, xmllint holds it to its schema, and Python's parser reads it. */
  private static void readAuthentication(Path file) throws Exception {
    Path xml = Path.of(file.toString().replace(".pem", ".xml"));
    Path script =
        Path.of(
            Objects.requireNonNull(CertificateLintIT.class.getResource("auth_context.py")).toURI());
    String said = run(linter("python"), script.toString(), file.toString(), xml.toString());
    assertThat(said.lines())
        .containsExactly(
            "critical: False",
            "contextType: http://id.elegnamnden.se/auth-cont/1.0/saci",
            "IdentityProvider: https://idp.example/saml?a=1&b=2",
            "AuthenticationInstant: 2026-11-22T10:00:00.123Z",
            "AuthnContextClassRef: http://id.elegnamnden.se/loa/1.0/loa3",
            "AssertionRef: _8db6eb9e8dc043d554eaa0dad145cfda",
            "rdn 2.5.4.5: urn:oid:1.2.752.29.4.13 = 197010632391",
            "rdn 2.5.4.6: urn:oid:2.5.4.6 = SE",
            "rdn 2.5.4.42: urn:oid:2.5.4.42 = Sixten",
            "rdn 2.5.4.4: urn:oid:2.5.4.4 = von Samordnungsnummer",
            "rdn 2.5.4.3: urn:oid:2.16.840.1.113730.3.1.241 = Sixten von Samordnungsnummer");
    Path schema =
        Path.of("..", "ca", "src", "test", "resources", "org", "keywell", "ca", "issuance")
            .resolve("CertAuthContextExtension-SAML-1.0.xsd");
    assertThat(
            run(
                Path.of("xmllint"),
                "--nonet",
                "--noout",
                "--schema",
                schema.toString(),
                xml.toString()))
        .contains(xml + " validates");
  }

  /** What it writes, whatever its exit code: a linter's counts findings. */
  private static String run(Path program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(command.toString()).isTrue();
    assertThat(output).as(command.toString()).doesNotContain("Traceback", "usage:", "Usage");
    return output;
  }
}

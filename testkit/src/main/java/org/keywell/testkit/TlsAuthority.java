package org.keywell.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * A certification authority for TLS, kept by openssl: certifies, revokes, and says what is revoked.
 * All files are in one directory: {@code NAME.pem}, {@code NAME.key}.
 */
public final class TlsAuthority {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Path directory;
  private final String name;
  private final OpenSsl openssl;

  private TlsAuthority(Path directory, String name) {
    this.directory = directory;
    this.name = name;
    this.openssl = new OpenSsl(directory);
  }

  /** Makes a root. */
  public static TlsAuthority create(Path directory, String name)
      throws IOException, InterruptedException {
    TlsAuthority authority = new TlsAuthority(directory, name);
    authority.prepare();
    authority.openssl.run(
        ("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN="
                + name
                + " -addext keyUsage=critical,keyCertSign,cRLSign"
                + " -keyout "
                + name
                + ".key -out "
                + name
                + ".pem")
            .split(" "));
    return authority;
  }

  /** Makes an authority that this one certifies. */
  public TlsAuthority subordinate(String name) throws IOException, InterruptedException {
    TlsAuthority authority = new TlsAuthority(directory, name);
    authority.prepare();
    certify(name, "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign");
    return authority;
  }

  private void prepare() throws IOException {
    Files.createDirectory(directory.resolve(name + ".d"));
    Files.writeString(directory.resolve(name + ".d/index"), "");
    openssl.write(
        name + ".cnf",
        """
        [ca]
        default_ca = this
        [this]
        database = %1$s.d/index
        new_certs_dir = %1$s.d
        certificate = %1$s.pem
        private_key = %1$s.key
        default_md = sha256
        rand_serial = yes
        unique_subject = no
        policy = any
        [any]
        commonName = supplied
        """
            .formatted(name));
  }

  /** The file of the authority's own certificate. */
  public Path certificate() {
    return directory.resolve(name + ".pem");
  }

  /** Makes a certificate that is valid from a minute ago for a day. */
  public void certify(String subject, String... extensions)
      throws IOException, InterruptedException {
    Instant now = Instant.now();
    certify(subject, now.minusSeconds(60), now.plus(Duration.ofDays(1)), extensions);
  }

  /** Makes a certificate of that common name with a new key; what was there is replaced. */
  public void certify(String subject, Instant from, Instant to, String... extensions)
      throws IOException, InterruptedException {
    openssl.run(
        ("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN="
                + subject
                + " -keyout "
                + subject
                + ".new.key -out "
                + subject
                + ".csr")
            .split(" "));
    List<String> all = new ArrayList<>(List.of(extensions));
    all.add("subjectKeyIdentifier=hash");
    all.add("authorityKeyIdentifier=keyid");
    openssl.write(subject + ".ext", String.join("\n", all) + "\n");
    openssl.run(
        ("ca -batch -notext -config "
                + name
                + ".cnf -in "
                + subject
                + ".csr -extfile "
                + subject
                + ".ext -startdate "
                + TIME.format(from)
                + " -enddate "
                + TIME.format(to)
                + " -out "
                + subject
                + ".new.pem")
            .split(" "));
    for (String kind : List.of(".key", ".pem")) {
      Files.move(
          directory.resolve(subject + ".new" + kind),
          directory.resolve(subject + kind),
          StandardCopyOption.ATOMIC_MOVE);
    }
  }

  public void revoke(String subject) throws IOException, InterruptedException {
    openssl.run(("ca -config " + name + ".cnf -revoke " + subject + ".pem").split(" "));
  }

  /** Writes what is revoked to a file, atomically. */
  public Path list(String file, Instant nextUpdate) throws IOException, InterruptedException {
    openssl.run(
        ("ca -config "
                + name
                + ".cnf -gencrl -crl_lastupdate "
                + TIME.format(nextUpdate.minus(Duration.ofDays(1)))
                + " -crl_nextupdate "
                + TIME.format(nextUpdate)
                + " -out "
                + file
                + ".new")
            .split(" "));
    return Files.move(
        directory.resolve(file + ".new"), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Starts {@code openssl ocsp} on the loopback interface, once it answers. */
  public OcspResponder responder(int port) throws IOException {
    return OcspResponder.start(directory, name, port);
  }

  /**
   * For a service that shows the certificate {@code server}, and asks callers for one of this
   * authority's; {@code callers.yaml} in the same directory names them.
   */
  public Map<String, String> serverSettings() {
    String bundle = "spring.ssl.bundle.pem.service.";
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(bundle + "keystore.certificate", uri("server.pem"));
    settings.put(bundle + "keystore.private-key", uri("server.key"));
    settings.put(bundle + "truststore.certificate", uri(name + ".pem"));
    settings.put("server.ssl.bundle", "service");
    settings.put("server.ssl.client-auth", "need");
    settings.put("keywell.security.callers-file", directory.resolve("callers.yaml").toString());
    return settings;
  }

  /**
   * A client's context that trusts this authority.
   *
   * @param subject whose certificate is shown; null: none
   */
  public SSLContext context(@Nullable String subject) {
    PemSslStoreDetails own =
        subject == null
            ? null
            : PemSslStoreDetails.forCertificate(uri(subject + ".pem"))
                .withPrivateKey(uri(subject + ".key"));
    return SslBundle.of(
            new PemSslStoreBundle(own, PemSslStoreDetails.forCertificate(uri(name + ".pem"))))
        .createSslContext();
  }

  private String uri(String file) {
    return directory.resolve(file).toUri().toString();
  }
}

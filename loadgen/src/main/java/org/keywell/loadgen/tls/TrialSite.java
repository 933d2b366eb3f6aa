package org.keywell.loadgen.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.keywell.client.PemTls;

/**
 * The files that both servers and the client share: certificates, keys and what is fetched. Closing
 * it removes them.
 */
public record TrialSite(Path directory, boolean mutual) implements AutoCloseable {
  public static final String SERVER = "server";
  public static final String CLIENT = "client";
  private static final String CALLERS = "callers.yaml";

  private static final int BLOCK = 1 << 16;

  /**
   * Creates them.
   *
   * @param parent for a new directory that only this user can read
   */
  public static TrialSite create(Path parent, OpenSsl openSsl, TlsPlan plan)
      throws IOException, InterruptedException {
    Files.createDirectories(parent);
    TrialSite site =
        new TrialSite(Files.createTempDirectory(parent, "tls-").toAbsolutePath(), plan.mutual());
    try {
      site.certify(openSsl, SERVER, plan.ecKey());
      if (plan.mutual()) {
        site.certify(openSsl, CLIENT, plan.ecKey());
        Files.writeString(
            site.directory.resolve(CALLERS),
            "callers:\n"
                + "  - { name: client, certificate: { subject: CN=client },"
                + " roles: [read, sign, observe],"
                + " identity: trusted-caller }\n");
      }
      Files.createDirectory(site.directory.resolve("trial-files"));
      for (FileSize size : plan.sizes()) {
        site.write(size);
      }
      return site;
    } catch (IOException | InterruptedException e) {
      site.close();
      throw e;
    }
  }

  private void certify(OpenSsl openSsl, String name, boolean ec)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("req", "-x509", "-newkey"));
    arguments.addAll(
        ec ? List.of("ec", "-pkeyopt", "ec_paramgen_curve:P-256") : List.of("rsa:2048"));
    arguments.addAll(
        List.of("-nodes", "-days", "2", "-keyout", name + ".key", "-out", name + ".crt"));
    arguments.addAll(
        List.of("-subj", "/CN=" + name, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"));
    openSsl.run(directory, arguments);
  }

  private void write(FileSize size) throws IOException {
    byte[] block = new byte[BLOCK];
    Arrays.fill(block, (byte) 'A');
    try (OutputStream out = Files.newOutputStream(directory.resolve(size.path().substring(1)))) {
      for (long left = size.bytes(); left > 0; left -= BLOCK) {
        out.write(block, 0, (int) Math.min(left, BLOCK));
      }
    }
  }

  /** Returns the environment of a service that serves these files, on this machine alone. */
  public Map<String, String> serviceSettings() {
    Map<String, String> all = tlsSettings();
    all.put("KEYWELL_TRIALFILES", directory.resolve("trial-files").toString());
    all.put("KEYWELL_HTTP_ANSWERTIME", "10m");
    // Neither loads nor generates keys meanwhile.
    all.put("KEYWELL_POOL_MODE", "on-the-fly");
    return all;
  }

  /** Returns what of a service's environment has it serve TLS, on this machine alone. */
  public Map<String, String> tlsSettings() {
    Map<String, String> all = new TreeMap<>();
    String store = "SPRING_SSL_BUNDLE_PEM_TRIAL_";
    all.put("SERVER_ADDRESS", "127.0.0.1");
    all.put("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
    all.put("SERVER_SSL_BUNDLE", "trial");
    all.put("SERVER_SSL_CLIENTAUTH", mutual ? "need" : "none");
    all.put(store + "KEYSTORE_CERTIFICATE", "file:" + directory.resolve(SERVER + ".crt"));
    all.put(store + "KEYSTORE_PRIVATEKEY", "file:" + directory.resolve(SERVER + ".key"));
    if (mutual) {
      all.put(store + "TRUSTSTORE_CERTIFICATE", "file:" + directory.resolve(CLIENT + ".crt"));
      all.put("KEYWELL_SECURITY_CALLERSFILE", directory.resolve(CALLERS).toString());
    }
    return all;
  }

  /** Returns the arguments of an {@code s_time} that fetches one of these files. */
  List<String> sTime(int port, String suite, FileSize size, boolean resumed, int seconds) {
    List<String> arguments =
        new ArrayList<>(List.of("s_time", "-connect", "127.0.0.1:" + port, "-tls1_3"));
    arguments.addAll(List.of("-ciphersuites", suite, "-www", size.path()));
    arguments.addAll(List.of("-time", Integer.toString(seconds), resumed ? "-reuse" : "-new"));
    if (mutual) {
      arguments.addAll(List.of("-cert", CLIENT + ".crt", "-key", CLIENT + ".key"));
    }
    return arguments;
  }

  /** Returns the arguments of an {@code s_server} that serves these files. */
  public List<String> sServer(int port) {
    List<String> arguments =
        new ArrayList<>(List.of("s_server", "-accept", "127.0.0.1:" + port, "-WWW", "-tls1_3"));
    arguments.addAll(List.of("-cert", SERVER + ".crt", "-key", SERVER + ".key"));
    if (mutual) {
      arguments.addAll(List.of("-Verify", "1", "-verify_return_error", "-CAfile", CLIENT + ".crt"));
    }
    return arguments;
  }

  /** Returns a context that trusts the servers and presents the client's certificate, if any. */
  public SSLContext client() throws IOException {
    Path certificate = mutual ? directory.resolve(CLIENT + ".crt") : null;
    Path key = mutual ? directory.resolve(CLIENT + ".key") : null;
    return PemTls.context(directory.resolve(SERVER + ".crt"), certificate, key);
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}

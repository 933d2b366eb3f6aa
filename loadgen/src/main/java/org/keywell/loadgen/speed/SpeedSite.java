package org.keywell.loadgen.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TrialSite;

/** Certificates of P-256 for this run, and a service's settings. Closing it removes the files. */
public record SpeedSite(TrialSite files, SSLContext client) implements AutoCloseable {
  /** The first part of the names of KMIP's settings, which are this run's. */
  public static final String PREFIX = "KEYWELL_KMIP_";

  private static final String CALLERS = "managers.yaml";

  /** Creates the files in a new directory below {@code parent}. */
  public static SpeedSite create(Path parent, OpenSsl openSsl)
      throws IOException, InterruptedException {
    TlsPlan plan = new TlsPlan(1, 1, 0, List.of(), List.of(), true, true);
    TrialSite files = TrialSite.create(parent, openSsl, plan);
    try {
      Files.writeString(
          files.directory().resolve(CALLERS),
          "callers:\n"
              + "  - { name: load-speed, certificate: { subject: CN=client },"
              + " roles: [manage, export] }\n");
      return new SpeedSite(files, files.client());
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  /**
   * Returns the environment of a service, on this machine alone.
   *
   * @param port where it serves KMIP
   * @param pairs RSA-2048 pairs that its pool holds; 0: it has no pool of them
   */
  public Map<String, String> serviceSettings(int port, int pairs) {
    Map<String, String> all = new TreeMap<>();
    String store = "SPRING_SSL_BUNDLE_PEM_SPEED_";
    Path directory = files.directory();
    all.put("SERVER_ADDRESS", "127.0.0.1");
    all.put("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
    all.put(store + "KEYSTORE_CERTIFICATE", "file:" + directory.resolve(TrialSite.SERVER + ".crt"));
    all.put(store + "KEYSTORE_PRIVATEKEY", "file:" + directory.resolve(TrialSite.SERVER + ".key"));
    all.put(
        store + "TRUSTSTORE_CERTIFICATE", "file:" + directory.resolve(TrialSite.CLIENT + ".crt"));
    all.put("KEYWELL_SECURITY_CALLERSFILE", directory.resolve(CALLERS).toString());
    all.put(PREFIX + "ENABLED", "true");
    all.put(PREFIX + "PORT", Integer.toString(port));
    all.put(PREFIX + "BUNDLE", "speed");
    // Another kind, of which nothing is made, takes the place of the standard pool.
    all.put(
        pairs > 0 ? PREFIX + "POOL_RSA2048_MAXSTORED" : PREFIX + "POOL_RSA4096_MAXSTORED",
        Integer.toString(pairs));
    // Neither loads nor generates signing keys meanwhile.
    all.put("KEYWELL_POOL_MODE", "on-the-fly");
    return all;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}

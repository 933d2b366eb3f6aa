package org.keywell.acceptance.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A client certificate in the hands of Chromium, which keeps it in the NSS database of its user's
 * home.
 */
public final class BrowserCertificate {

  private final Path home;
  private final String origin;

  private BrowserCertificate(Path home, String origin) {
    this.home = home;
    this.origin = origin;
  }

  /**
   * Imports it, as its user would. Needs the tools of NSS.
   *
   * @param home an empty directory
   * @param origin where the certificate is shown, without a question: {@code https://HOST:PORT}
   * @param authority whose web sites are trusted, PEM
   * @param pkcs12 certificate and key
   */
  public static BrowserCertificate imported(
      Path home, String origin, Path authority, Path pkcs12, String password)
      throws IOException, InterruptedException {
    Path database = Files.createDirectories(home.resolve(".pki/nssdb"));
    String where = "sql:" + database;
    nss("certutil", "-N", "-d", where, "--empty-password");
    nss("certutil", "-A", "-d", where, "-n", "authority", "-t", "C,,", "-i", authority.toString());
    nss("pk12util", "-i", pkcs12.toString(), "-d", where, "-W", password, "-K", "");
    return new BrowserCertificate(home, origin);
  }

  Path home() {
    return home;
  }

  /** Of the profile: the certificate is chosen as an administrator's policy would choose it. */
  Map<String, Object> preferences() {
    return Map.of(
        "profile.content_settings.exceptions.auto_select_certificate",
        Map.of(origin + ",*", Map.of("setting", Map.of("filters", List.of(Map.of())))));
  }

  private static void nss(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new AssertionError(
          "tests need " + command[0] + " of NSS (libnss3-tools); './keywell test' gets it", e);
    }
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(command[0] + " failed: " + output);
    }
  }
}

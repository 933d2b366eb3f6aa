package org.keywell.loadgen.speed;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.keywell.loadgen.service.ForeignServer;
import org.keywell.loadgen.tls.TrialSite;

/**
 * The server that comes with PyKMIP. It has its keys in SQLite, and no HSM.
 *
 * @param python a Python that has it
 */
public record PyKmip(String python) {
  /** It makes no EC pairs. */
  static final Set<SpeedOperation> OPERATIONS =
      Set.of(
          SpeedOperation.GET,
          SpeedOperation.WRAP,
          SpeedOperation.CREATE_AES,
          SpeedOperation.RSA_WITHOUT_POOL);

  /** It looks every ten seconds whether it has been told to end. */
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(25);

  private static final String SERVE = "from kmip.services.server.server import main; main()";

  public PyKmip {
    if (python.contains("/")) {
      // It runs in another directory.
      python = Path.of(python).toAbsolutePath().toString();
    }
  }

  /**
   * Starts it, on this machine alone, with the certificates of a site, where it leaves its files.
   *
   * @throws IOException if that Python is none, or has no PyKMIP; the message has its words
   */
  public ForeignServer start(SpeedSite site, int port, PrintWriter err)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectory(site.files().directory().resolve("pykmip"));
    // It needs a path with a folder.
    Path log = directory.resolve("server.log");
    Path certificates = site.files().directory();
    Files.writeString(
        directory.resolve("server.conf"),
        """
        [server]
        hostname=127.0.0.1
        port=%d
        certificate_path=%s
        key_path=%s
        ca_path=%s
        auth_suite=TLS1.2
        enable_tls_client_auth=False
        logging_level=ERROR
        policy_path=%s
        database_path=%s
        """
            .formatted(
                port,
                certificates.resolve(TrialSite.SERVER + ".crt"),
                certificates.resolve(TrialSite.SERVER + ".key"),
                certificates.resolve(TrialSite.CLIENT + ".crt"),
                directory,
                directory.resolve("keys.db")));
    return ForeignServer.start(
        "pykmip",
        List.of(python, "-W", "ignore", "-c", SERVE, "-f", "server.conf", "-l", log.toString()),
        directory,
        port,
        ENDS_WITHIN,
        err);
  }
}

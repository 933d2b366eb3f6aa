package org.keywell.loadgen.service;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL for several services. Where it would be embedded, another service owns it, which
 * does nothing else.
 *
 * @param user the program of the services that use it
 */
public record SharedDatabase(ServiceProgram user, @Nullable OwnService owner)
    implements AutoCloseable {
  private static final String URL = "KEYWELL_DATABASE_URL";
  private static final int PORT_LINE = 3;

  /** Starts its owner, if it needs one, with these settings. */
  public static SharedDatabase start(
      ServiceProgram program,
      String name,
      Map<String, String> settings,
      Duration startsWithin,
      Duration patience,
      PrintWriter err)
      throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(program.environment());
    // Each service has a port of its own.
    environment.remove("SERVER_PORT");
    if (environment.getOrDefault(URL, "").startsWith("jdbc:")) {
      return new SharedDatabase(with(program, environment), null);
    }
    OwnService owner = with(program, environment).start(name, settings, patience, err);
    try {
      owner.awaitReady(startsWithin);
      Path home = Path.of(environment.getOrDefault("KEYWELL_HOME", ""));
      List<String> server = Files.readAllLines(home.resolve("postgres").resolve("postmaster.pid"));
      environment.put(
          URL, "jdbc:postgresql://127.0.0.1:" + server.get(PORT_LINE).strip() + "/postgres");
      environment.put("KEYWELL_DATABASE_USERNAME", "keywell");
      environment.put(
          "KEYWELL_DATABASE_PASSWORDFILE", home.resolve("postgres.service-password").toString());
      return new SharedDatabase(with(program, environment), owner);
    } catch (IOException | InterruptedException e) {
      owner.close();
      throw e;
    }
  }

  private static ServiceProgram with(ServiceProgram program, Map<String, String> environment) {
    return new ServiceProgram(program.command(), environment, program.logs(), program.told());
  }

  @Override
  public void close() {
    if (owner != null) {
      owner.close();
    }
  }
}

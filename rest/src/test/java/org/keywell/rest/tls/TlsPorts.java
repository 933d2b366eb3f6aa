package org.keywell.rest.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.keywell.rest.EdgeServer;

/** Starts the edge with TLS and client authentication at both ports. */
final class TlsPorts {

  /** Common names of callers' certificates, each a caller's with every right that is asked for. */
  private static final List<String> CALLERS =
      List.of("client", "other", "leaf", "named", "brief", "stranger");

  private TlsPorts() {}

  /**
   * @param files where {@code server.pem} and {@code server.key} are, and {@code trusted.pem}, by
   *     default a copy of {@code ca.pem}
   * @param more such as {@code --keywell.security.hosts=x}
   */
  static EdgeServer start(Path files, String... more) throws IOException {
    Path trusted = files.resolve("trusted.pem");
    if (!Files.exists(trusted)) {
      Files.copy(files.resolve("ca.pem"), trusted);
    }
    Path callers = files.resolve("callers.yaml");
    StringBuilder named = new StringBuilder("callers:\n");
    for (String name : CALLERS) {
      named.append(
          "  - { name: %1$s, certificate: { subject: CN=%1$s }, roles: [sign, operate, observe] }\n"
              .formatted(name));
    }
    Files.writeString(callers, named);
    List<String> settings = new ArrayList<>();
    settings.add("--keywell.security.callers-file=" + callers);
    String bundle = "--spring.ssl.bundle.pem.edge.";
    settings.add(bundle + "keystore.certificate=" + files.resolve("server.pem").toUri());
    settings.add(bundle + "keystore.private-key=" + files.resolve("server.key").toUri());
    settings.add(bundle + "truststore.certificate=" + trusted.toUri());
    for (String port : List.of("server", "management.server")) {
      settings.add("--" + port + ".ssl.bundle=edge");
      settings.add("--" + port + ".ssl.client-auth=need");
    }
    settings.add("--management.server.port=0");
    settings.addAll(List.of(more));
    return EdgeServer.start(settings.toArray(String[]::new));
  }
}

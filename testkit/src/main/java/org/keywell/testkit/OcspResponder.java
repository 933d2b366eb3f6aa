package org.keywell.testkit;

import java.io.IOException;
import java.nio.file.Path;

/** {@code openssl ocsp} as a server, which rereads what is revoked for each query. */
public final class OcspResponder implements AutoCloseable {

  private final Process process;
  private final int port;

  private OcspResponder(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static OcspResponder start(Path directory, String authority, int port) throws IOException {
    Process process =
        new ProcessBuilder(
                ("openssl ocsp -port "
                        + port
                        + " -index "
                        + authority
                        + ".d/index -CA "
                        + authority
                        + ".pem -rsigner "
                        + authority
                        + ".pem -rkey "
                        + authority
                        + ".key -nmin 5 -ignore_err")
                    .split(" "))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("ocsp.log").toFile())
            .start();
    return new OcspResponder(process, port);
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    Process _ = process.destroyForcibly().onExit().join();
  }
}

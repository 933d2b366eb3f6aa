package org.keywell.ca;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.keywell.ca.token.PemCertificates;

/** The {@code openssl} on the path, or another one; its absence fails a test. */
public final class OpenSsl {
  private final Path directory;
  private final String program;

  /** Reads and writes files in the given directory. */
  public OpenSsl(Path directory) {
    this(directory, "openssl");
  }

  /** As above, by another program. */
  public OpenSsl(Path directory, String program) {
    this.directory = directory;
    this.program = program;
  }

  /** Runs openssl; returns its output, or fails with it. */
  public String run(String... arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + " failed:\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new AssertionError("tests need " + program, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  public String write(String name, String content) {
    try {
      Files.writeString(directory.resolve(name), content);
      return name;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String read(String name) {
    try {
      return Files.readString(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Verifies strictly that a leaf leads over the chain to its root. */
  public void verify(X509Certificate leaf, List<X509Certificate> chain) {
    run(
        "verify",
        "-x509_strict",
        "-CAfile",
        write("root.pem", PemCertificates.write(List.of(chain.getLast()))),
        "-untrusted",
        write("untrusted.pem", PemCertificates.write(chain.subList(0, chain.size() - 1))),
        write("leaf.pem", PemCertificates.write(List.of(leaf))));
  }
}

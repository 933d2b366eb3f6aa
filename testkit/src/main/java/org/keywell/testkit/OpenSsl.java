package org.keywell.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * The {@code openssl} on the path, or another one, as the party that trusts no Java; its absence
 * fails a test.
 */
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
  public String run(String... arguments) throws IOException, InterruptedException {
    Process process = start("", arguments);
    String output = output(process);
    if (process.waitFor() != 0) {
      throw new AssertionError(List.of(arguments) + " failed:\n" + output);
    }
    return output;
  }

  /** Runs openssl; returns its output, whether it succeeds or not. */
  public String attempt(String... arguments) throws IOException {
    return say("", arguments);
  }

  /** Runs openssl with some input; returns its output, whether it succeeds or not. */
  public String say(String input, String... arguments) throws IOException {
    return output(start(input, arguments));
  }

  private Process start(String input, String... arguments) throws IOException {
    List<String> command = Stream.concat(Stream.of(program), Stream.of(arguments)).toList();
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    try (OutputStream out = process.getOutputStream()) {
      out.write(input.getBytes(StandardCharsets.UTF_8));
    }
    return process;
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Verifies strictly that the first of the chain leads to the given root. */
  public void verifyChain(List<X509Certificate> chain, Path root)
      throws IOException, InterruptedException, CertificateEncodingException {
    run(
        "verify",
        "-x509_strict",
        "-CAfile",
        root.toString(),
        "-untrusted",
        write("untrusted.pem", pem(chain.subList(1, chain.size() - 1))),
        write("leaf.pem", pem(chain.subList(0, 1))));
  }

  /** Verifies the signature over the document with the certificate's public key. */
  public void verifySignature(
      byte[] signature, X509Certificate signer, String document, String... options)
      throws IOException, InterruptedException, CertificateEncodingException {
    Files.write(directory.resolve("signature"), signature);
    write("leaf.pem", pem(List.of(signer)));
    write("key.pem", run("x509", "-in", "leaf.pem", "-pubkey", "-noout"));
    String[] command = {"-verify", "key.pem", "-signature", "signature"};
    run(
        Stream.of(
                Stream.of("dgst"),
                Stream.of(options),
                Stream.of(command),
                Stream.of(write("document", document)))
            .flatMap(parts -> parts)
            .toArray(String[]::new));
  }

  /** Writes a file and returns its name. */
  public String write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
    return name;
  }

  public static String pem(List<X509Certificate> certificates) throws CertificateEncodingException {
    Base64.Encoder encoder = Base64.getMimeEncoder(64, new byte[] {'\n'});
    StringBuilder pem = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      pem.append("-----BEGIN CERTIFICATE-----\n")
          .append(encoder.encodeToString(certificate.getEncoded()))
          .append("\n-----END CERTIFICATE-----\n");
    }
    return pem.toString();
  }
}

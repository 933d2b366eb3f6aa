package org.keywell.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A key pair with a self-signed certificate, made for each test by the JDK's own keytool. */
public record TestIdentity(PrivateKey key, X509Certificate certificate, KeyStore store) {
  public static final char[] PASSWORD = "changeit".toCharArray();

  public static TestIdentity rsa() throws Exception {
    return make("-keyalg", "RSA", "-keysize", "2048");
  }

  public static TestIdentity ec() throws Exception {
    return make("-keyalg", "EC", "-groupname", "secp256r1");
  }

  private static TestIdentity make(String... algorithm) throws Exception {
    Path dir = Files.createTempDirectory("keywell-identity");
    Path file = dir.resolve("store.p12");
    try {
      runKeytool(file, algorithm);
      return read(file);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(dir);
    }
  }

  private static void runKeytool(Path file, String... algorithm) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "test",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD)));
    command.addAll(List.of(algorithm));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed: " + output);
    }
  }

  private static TestIdentity read(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return new TestIdentity(
        (PrivateKey) store.getKey("test", PASSWORD),
        (X509Certificate) store.getCertificate("test"),
        store);
  }

  public byte[] certificateDer() throws GeneralSecurityException {
    return certificate.getEncoded();
  }

  public String certificatePem() throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  public String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  private static String pem(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(der), label);
  }
}

package org.keywell.loadgen.messages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TrialSite;

/**
 * The files of a run: certificates, a password and the broker's data. Closing it removes them.
 *
 * @param files in a directory for this user alone
 */
public record MessagesSite(TrialSite files) implements AutoCloseable {
  static final String RESPONDER = TrialSite.SERVER;
  static final String REQUESTER = TrialSite.CLIENT;

  /** The broker reuses its files of 10 MB; this leaves room for them and their compaction. */
  private static final long NEEDED_BYTES = 1L << 30;

  private static final String SECRET = "secret";
  private static final int SECRET_BYTES = 24;

  /** The key and certificate that all requesters share, or all responders. */
  record Party(PrivateKey key, X509Certificate certificate) {

    /** Returns a condition that signers meet by being this party. */
    Predicate<List<X509Certificate>> trusted() {
      return chain -> chain.getFirst().equals(certificate);
    }
  }

  /**
   * Creates them in a new directory.
   *
   * @throws IllegalArgumentException if there is too little room
   */
  public static MessagesSite create(Path parent, OpenSsl openSsl)
      throws IOException, InterruptedException {
    if (Files.getFileStore(parent).getUsableSpace() < NEEDED_BYTES) {
      throw new IllegalArgumentException(
          "%s has less than %,d MB of free space".formatted(parent, NEEDED_BYTES >> 20));
    }
    TlsPlan plan = new TlsPlan(1, 1, 0, List.of(), List.of(), false, true);
    MessagesSite site = new MessagesSite(TrialSite.create(parent, openSsl, plan));
    try {
      byte[] secret = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(secret);
      Files.writeString(site.directory().resolve(SECRET), HexFormat.of().formatHex(secret));
      for (String name : List.of(RESPONDER, REQUESTER)) {
        openSsl.run(
            site.directory(),
            List.of(
                "pkcs12",
                "-export",
                "-name",
                name,
                "-in",
                name + ".crt",
                "-inkey",
                name + ".key",
                "-out",
                name + ".p12",
                "-passout",
                "file:" + SECRET));
      }
      return site;
    } catch (IOException | InterruptedException e) {
      site.close();
      throw e;
    }
  }

  Path directory() {
    return files.directory();
  }

  /** Returns the password of the keys' files and of the broker's user. */
  String secret() throws IOException {
    return Files.readString(directory().resolve(SECRET));
  }

  Path keys(String name) {
    return directory().resolve(name + ".p12");
  }

  Party party(String name) throws IOException {
    char[] secret = secret().toCharArray();
    try {
      KeyStore store = KeyStore.getInstance(keys(name).toFile(), secret);
      return new Party(
          (PrivateKey) store.getKey(name, secret), (X509Certificate) store.getCertificate(name));
    } catch (GeneralSecurityException e) {
      throw new IOException("the key of the %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}

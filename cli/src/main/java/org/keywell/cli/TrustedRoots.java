package org.keywell.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;

/** The certificates that the user trusts when a document is verified. */
final class TrustedRoots {

  private TrustedRoots() {}

  /** Returns the certificates of {@code --root}; none if it is not given. */
  static List<X509Certificate> of(@Nullable Path file) throws IOException, CommandFailedException {
    if (file == null) {
      return List.of();
    }
    try {
      return certificates(Files.readAllBytes(file));
    } catch (CertificateException e) {
      throw new CommandFailedException("--root: " + file + " holds no certificates", e);
    }
  }

  /** Returns the roots that a service names: of its CA and of its time-stamp authority, if any. */
  static List<X509Certificate> toldBy(KeywellClient client)
      throws IOException, InterruptedException, CommandFailedException {
    List<X509Certificate> roots = new ArrayList<>();
    try {
      roots.add(last(client.chainPem()));
      Optional<String> stamps = client.timeStampChainPem();
      if (stamps.isPresent()) {
        roots.add(last(stamps.get()));
      }
    } catch (CertificateException e) {
      throw new CommandFailedException("the service answers no certificates as its chain", e);
    }
    return roots.stream().distinct().toList();
  }

  private static X509Certificate last(String pem) throws CertificateException {
    List<X509Certificate> chain = certificates(pem.getBytes(StandardCharsets.US_ASCII));
    if (chain.isEmpty()) {
      throw new CertificateException("an empty chain");
    }
    return chain.getLast();
  }

  private static List<X509Certificate> certificates(byte[] encoded) throws CertificateException {
    List<X509Certificate> all = new ArrayList<>();
    CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(encoded))
        .forEach(one -> all.add((X509Certificate) one));
    return all;
  }
}

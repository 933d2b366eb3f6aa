package org.keywell.ca.token;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;

/** Reads and writes certificates as PEM text (RFC 7468). */
public final class PemCertificates {
  /** Limits for the text to read. */
  private static final int MAX_CERTIFICATES = 10;

  private static final int MAX_CHARACTERS = 128 * 1024;

  private PemCertificates() {}

  /** Returns all certificates as PEM, in the given order. */
  public static String write(List<X509Certificate> certificates) {
    return text(certificates.toArray());
  }

  /** As {@link #write}, of certificates in DER. */
  public static String writeEncoded(List<byte[]> certificates) {
    return text(certificates.stream().map(der -> new PemObject("CERTIFICATE", der)).toArray());
  }

  /**
   * Reads one or more certificates.
   *
   * @throws CaTokenException {@link CaTokenException.Reason#CHAIN_REFUSED} if the text has more
   *     than 128 Ki characters, more than 10 certificates, no certificate, or any other PEM content
   */
  public static List<X509Certificate> read(String pem) {
    if (pem.length() > MAX_CHARACTERS) {
      throw refused("the text has more than " + MAX_CHARACTERS + " characters", null);
    }
    List<X509Certificate> certificates = new ArrayList<>();
    JcaX509CertificateConverter converter = new JcaX509CertificateConverter();
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      for (Object item = parser.readObject(); item != null; item = parser.readObject()) {
        if (!(item instanceof X509CertificateHolder holder)) {
          throw refused("the text holds something other than certificates", null);
        }
        certificates.add(converter.getCertificate(holder));
        if (certificates.size() > MAX_CERTIFICATES) {
          throw refused("the text has more than " + MAX_CERTIFICATES + " certificates", null);
        }
      }
    } catch (IOException | CertificateException | IllegalArgumentException e) {
      throw refused("the text cannot be read as certificates in PEM", e);
    }
    if (certificates.isEmpty()) {
      throw refused("the text has no certificate in PEM", null);
    }
    return List.copyOf(certificates);
  }

  /** Writes any objects that Bouncy Castle supports as PEM. */
  static String text(Object... objects) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      for (Object object : objects) {
        writer.writeObject(object);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static CaTokenException refused(String message, @Nullable Exception cause) {
    return new CaTokenException(CaTokenException.Reason.CHAIN_REFUSED, message, cause);
  }
}

package org.keywell.ca.ocsp;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.Req;

/**
 * Asks for the status of certificates (RFC 6960, section 4.1). Who asks is not looked at: the
 * signature and the name of a requestor are ignored. Immutable.
 */
public final class OcspRequest {

  /** Above the largest request of as many certificates, signed ones included. */
  public static final int MAX_BYTES = 4 * 1024;

  /** How many certificates a request may ask for. */
  public static final int MAX_CERTIFICATES = 10;

  /** RFC 9654, section 2.1. */
  private static final int LONGEST_NONCE = 128;

  /** More than a signed request needs, whose certificates are the deepest. */
  private static final int MAX_DEPTH = 24;

  private final List<CertificateID> certificates;
  private final Optional<Extension> nonce;

  private OcspRequest(List<CertificateID> certificates, Optional<Extension> nonce) {
    this.certificates = certificates;
    this.nonce = nonce;
  }

  /** Reads an {@code OCSPRequest} in DER; empty if it is malformed, too long, or asks too much. */
  public static Optional<OcspRequest> parse(byte[] request) {
    if (request.length > MAX_BYTES || !DerShape.isFlat(request, MAX_DEPTH)) {
      return Optional.empty();
    }
    try {
      return of(new OCSPReq(request));
    } catch (IOException | RuntimeException e) {
      // Of the parser, these are several of the JDK's and of its own.
      return Optional.empty();
    }
  }

  private static Optional<OcspRequest> of(OCSPReq request) {
    Req[] asked = request.getRequestList();
    Optional<Extension> nonce =
        Optional.ofNullable(request.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce));
    Set<?> critical = request.getCriticalExtensionOIDs();
    boolean isSound =
        request.getVersionNumber() == 1
            && asked.length > 0
            && asked.length <= MAX_CERTIFICATES
            && nonce.map(OcspRequest::isNonce).orElse(true)
            && critical.stream().allMatch(OCSPObjectIdentifiers.id_pkix_ocsp_nonce::equals)
            && Arrays.stream(asked).allMatch(OcspRequest::isUnderstood);
    return isSound
        ? Optional.of(new OcspRequest(Arrays.stream(asked).map(Req::getCertID).toList(), nonce))
        : Optional.empty();
  }

  private static boolean isNonce(Extension extension) {
    byte[] value = extension.getExtnValue().getOctets();
    if (!DerShape.isFlat(value, 1)) {
      return false;
    }
    int length = ASN1OctetString.getInstance(value).getOctets().length;
    return length > 0 && length <= LONGEST_NONCE;
  }

  private static boolean isUnderstood(Req one) {
    return one.getSingleRequestExtensions() == null
        || !one.getSingleRequestExtensions().hasAnyCriticalExtensions();
  }

  /**
   * Returns what requests have in common that may get the same answer; empty if this one needs its
   * own.
   */
  public Optional<String> repeatable() {
    try {
      return nonce.isEmpty() && certificates.size() == 1
          ? Optional.of(
              HexFormat.of().formatHex(certificates.getFirst().toASN1Primitive().getEncoded("DER")))
          : Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException("encoding to memory", e);
    }
  }

  List<CertificateID> certificates() {
    return certificates;
  }

  Optional<Extension> nonce() {
    return nonce;
  }
}

package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x509.Extension;
import org.keywell.ca.AuthenticationContext;

/** The certificate extension that states how the subject was identified (RFC 7773). */
final class AuthenticationContextExtension {
  private static final ASN1ObjectIdentifier ID = new ASN1ObjectIdentifier("1.2.752.201.5.1");
  private static final DERUTF8String CONTENT_TYPE = new DERUTF8String(SamlAuthContext.NAMESPACE);

  private AuthenticationContextExtension() {}

  /** Not critical (section 2): software that does not know it can ignore it. */
  static Extension of(AuthenticationContext context) {
    DERSequence one = new DERSequence(CONTENT_TYPE, new DERUTF8String(SamlAuthContext.of(context)));
    try {
      return new Extension(ID, false, new DEROctetString(new DERSequence(one).getEncoded("DER")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package org.keywell.protection;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.ProtectionException.Fault;

/** How CMS names the owner of a certificate; compared byte for byte. */
final class RecipientName {

  private static final int MAX = 16;
  private static final ASN1Integer BY_ISSUER = new ASN1Integer(0);
  private static final ASN1Integer BY_KEY_IDENTIFIER = new ASN1Integer(2);

  private final byte[] issuerAndSerial;
  private final byte[] keyIdentifier;

  RecipientName(X509Certificate certificate) {
    issuerAndSerial = Der.write(Certificates.name(certificate));
    keyIdentifier = Certificates.keyIdentifier(certificate);
  }

  /** Returns the one {@code KeyTransRecipientInfo} with this name. */
  ASN1Encodable find(ASN1Set recipients) throws ProtectionException {
    if (recipients.size() > MAX) {
      throw new ProtectionException(Fault.TOO_LARGE);
    }
    @Nullable ASN1Encodable found = null;
    for (ASN1Encodable each : recipients) {
      if (isOurs(each)) {
        if (found != null) {
          throw new ProtectionException(Fault.MALFORMED);
        }
        found = each;
      }
    }
    if (found == null) {
      throw new ProtectionException(Fault.WRONG_RECIPIENT);
    }
    return found;
  }

  private boolean isOurs(ASN1Encodable recipient) throws ProtectionException {
    if (recipient instanceof ASN1TaggedObject) {
      // Another way to transport a key.
      return false;
    }
    Fields info = Fields.of(recipient);
    ASN1Encodable version = info.any();
    ASN1Encodable name = info.any();
    if (version.equals(BY_ISSUER)) {
      return Arrays.equals(issuerAndSerial, Der.write(Fields.as(ASN1Sequence.class, name)));
    }
    return version.equals(BY_KEY_IDENTIFIER)
        && keyIdentifier.length > 0
        && Arrays.equals(keyIdentifier, Fields.implicitOctets(name));
  }
}

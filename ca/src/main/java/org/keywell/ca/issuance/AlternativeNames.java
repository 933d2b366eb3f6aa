package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.keywell.ca.ServerNames;

/** Subject alternative names (RFC 5280, section 4.2.1.6). */
public final class AlternativeNames {

  private AlternativeNames() {}

  /** Returns the extension, critical, since the subject is empty. */
  public static Extension of(ServerNames names) {
    List<GeneralName> all = new ArrayList<>();
    names.hosts().forEach(host -> all.add(new GeneralName(GeneralName.dNSName, host)));
    names
        .addresses()
        .forEach(each -> all.add(new GeneralName(GeneralName.iPAddress, each.getHostAddress())));
    try {
      return new Extension(
          Extension.subjectAlternativeName,
          true,
          new GeneralNames(all.toArray(GeneralName[]::new)).getEncoded("DER"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

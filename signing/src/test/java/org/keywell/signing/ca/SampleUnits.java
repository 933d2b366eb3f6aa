package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.timestamp.TimeStampUnit;

/** Units for time stamps whose signatures are a test's own. */
public final class SampleUnits {

  private SampleUnits() {}

  public static StampUnit of(String device, TimeStampUnit unit, List<X509Certificate> chain) {
    TokenSigner unused = new TokenSigner(chain.getFirst().getPublicKey(), _ -> Optional.empty());
    return new StampUnit(device, unit, chain, new BoundedSigner(unused, "unused"));
  }
}

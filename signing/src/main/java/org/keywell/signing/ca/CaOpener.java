package org.keywell.signing.ca;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.issuance.ServerCertificates;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.OpenDevice;

/** Opens the CA whose key is in a device. */
public final class CaOpener {

  private final String issuingLabel;
  private final String responderLabel;
  private final CertificateProfiles profiles;
  private final SigningLimits limits;
  private final boolean listed;
  private final LongSupplier nanoClock;
  private final InstantSource clock;

  /**
   * @param issuingLabel the label of the issuing key in each token
   * @param responderLabel that of the first key which answers OCSP requests, if there is one
   * @param limits on the use of the key in each device
   * @param listed whether the devices are a list, so that failures name them
   */
  CaOpener(
      String issuingLabel,
      String responderLabel,
      CertificateProfiles profiles,
      SigningLimits limits,
      boolean listed,
      LongSupplier nanoClock,
      InstantSource clock) {
    this.issuingLabel = issuingLabel;
    this.responderLabel = responderLabel;
    this.profiles = profiles;
    this.limits = limits;
    this.listed = listed;
    this.nanoClock = nanoClock;
    this.clock = clock;
  }

  /**
   * Opens that of one device.
   *
   * @throws StartRefusedException if its token or keys are unusable
   */
  public CaWatch open(OpenDevice device) {
    CaDevice token = new CaDevice(device, listed);
    return token.use(
        () -> token.open(issuingLabel, responderLabel, profiles, limits, nanoClock, clock));
  }

  /**
   * Opens that of one device for certificates of servers, beside those of its profiles.
   *
   * @throws org.keywell.ca.issuance.IssuingKeyException if it must not issue them
   */
  public ServerCertificates servers(OpenDevice device, Duration validity) {
    CaDevice token = new CaDevice(device, listed);
    return token.use(() -> token.servers(issuingLabel, profiles, validity, clock));
  }
}

package org.keywell.signing.ca;

import java.security.Provider;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.IssuingKeyException;
import org.keywell.ca.issuance.ServerCertificates;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.ocsp.OcspUnit;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.CaToken;
import org.keywell.ca.token.CaTokenException;
import org.keywell.ca.token.RootKey;
import org.keywell.ca.token.TokenKey;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.settings.CaProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.OpenDevice;

/**
 * Access to the CA's keys in an open device.
 *
 * @param listed whether it is one of a list, so that failures name it
 */
record CaDevice(OpenDevice device, boolean listed) {

  String name() {
    return device.name();
  }

  /** Opens the CA's keys, to create missing ones. */
  CaBootstrap bootstrap(CaProperties properties, InstantSource clock) {
    return CaBootstrap.in(keys(), properties.settings(), clock, new SecureRandom());
  }

  /** Finds the keys of roots that were made in this device, the newest first. */
  List<RootKey> roots(CaProperties properties) {
    return RootKey.all(keys(), properties.settings());
  }

  /**
   * Opens the CA whose key is in this device. It is reopened with the device.
   *
   * @param responderLabel of the keys that answer OCSP requests, if profiles name a responder
   * @throws CaTokenException if the token or keys are unusable
   * @throws IssuingKeyException if the key does not sign
   */
  CaWatch open(
      String issuingLabel,
      String responderLabel,
      CertificateProfiles profiles,
      SigningLimits limits,
      LongSupplier nanoClock,
      InstantSource clock) {
    OcspSigners responders =
        new OcspSigners(
            profiles.responders().map(_ -> responderLabel), label -> responder(label, nanoClock));
    RenewableCa ca =
        new RenewableCa(
            renewable(
                "the CA in " + name(),
                slotId -> open(slotId, issuingLabel, responders, profiles, limits, clock),
                nanoClock));
    if (profiles.responders().isPresent() && responders.all().isEmpty()) {
      throw new StartRefusedException(
          "device %s has no key '%s' that its CA has certified for OCSP answers: run bootstrap"
              .formatted(name(), responderLabel));
    }
    return new CaWatch(name(), ca, responders, device.pkcs11()::failsToSign, nanoClock);
  }

  private OcspSigner responder(String label, LongSupplier nanoClock) {
    return ServiceKey.open(
        device,
        listed,
        "the OCSP key",
        "keywell-ocsp",
        label,
        CaKeySpec.EC_P256,
        nanoClock,
        (name, chain, signer) ->
            new OcspSigner(name, new OcspUnit(signer::sign, chain), chain, signer));
  }

  /**
   * Opens a key in this device that signs for the service itself. It is reopened with the device.
   *
   * @param what it is, for the log
   * @param spec its kind
   * @param command makes it if it is missing, for the message
   * @throws CaTokenException if the token or the key is unusable
   */
  Renewable<TokenKey> openKey(
      String what, String label, CaKeySpec spec, String command, LongSupplier nanoClock) {
    return renewable(
        what + " in " + name(),
        slotId -> TokenKey.open(device.pkcs11().certifiedKeys(slotId), label, spec, command),
        nanoClock);
  }

  private <T> Renewable<T> renewable(String what, LongFunction<T> opener, LongSupplier nanoClock) {
    Renewable<T> opened =
        new Renewable<>(
            what,
            opener,
            device.pkcs11()::slotId,
            this::isLoggedIn,
            device.pkcs11()::foreignCall,
            nanoClock);
    device.pkcs11().add(opened);
    return opened;
  }

  private CertificateAuthority open(
      long slotId,
      String issuingLabel,
      OcspSigners responders,
      CertificateProfiles profiles,
      SigningLimits limits,
      InstantSource clock) {
    CaToken token = new CaToken(device.pkcs11().certifiedKeys(slotId));
    return CaGenerations.open(
        new CaGenerations.Source(
            token,
            issuingLabel,
            clock,
            responders,
            key ->
                new BouncyCastleCertificateAuthority(
                    key,
                    // INVARIANT: no certificate names a responder that its issuer has not
                    // certified, or that does not answer here.
                    responders.lacks(key.certificate()) ? profiles.withoutResponders() : profiles,
                    limits,
                    clock,
                    new SecureRandom())));
  }

  /** Opens the CA's key for certificates of servers, until the device is lost. */
  ServerCertificates servers(
      String issuingLabel, CertificateProfiles beside, Duration validity, InstantSource clock) {
    IssuingKey key = new CaToken(keys()).issuingKey(issuingLabel, clock);
    return new ServerCertificates(key, beside, validity, clock, new SecureRandom());
  }

  private Provider keys() {
    return device.pkcs11().certifiedKeys(device.pkcs11().slotId());
  }

  /** Asks the token: what the device knows may predate a loss. */
  private boolean isLoggedIn() {
    try {
      device.pkcs11().probe();
      return true;
    } catch (HsmException e) {
      return false;
    }
  }

  /** Works with the CA's keys in it. If the device is listed, failures name it. */
  <T> T use(Supplier<T> work) {
    try {
      return work.get();
    } catch (CaTokenException | IssuingKeyException e) {
      if (!listed) {
        throw e;
      }
      throw new StartRefusedException("device " + name() + ": " + e.getMessage(), e);
    }
  }
}

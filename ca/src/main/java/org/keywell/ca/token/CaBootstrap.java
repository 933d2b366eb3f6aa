package org.keywell.ca.token;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Makes the CA's keys and certificates in the token, where they are missing: an explicit step of an
 * operator, not part of a start. One process at a time may do it. Existing keys are never replaced.
 */
public final class CaBootstrap {
  private final TokenKeyStore store;
  private final CaKeyMaker keys;
  private final CaSettings settings;
  private final CaCertificates certificates;
  private final InstantSource clock;

  private CaBootstrap(
      TokenAddress address,
      TokenKeyStore store,
      CaSettings settings,
      InstantSource clock,
      SecureRandom random) {
    this.store = store;
    this.keys = new CaKeyMaker(address, store);
    this.settings = settings;
    this.certificates = new CaCertificates(random);
    this.clock = clock;
  }

  /**
   * Opens the token as {@link CaToken#open} does.
   *
   * @param pin not kept; the caller wipes it
   * @throws CaTokenException {@code UNAVAILABLE}, {@code PIN_REFUSED} or {@code FAILED}
   */
  public static CaBootstrap open(
      TokenAddress address,
      char[] pin,
      CaSettings settings,
      InstantSource clock,
      SecureRandom random) {
    TokenKeyStore store = TokenKeyStore.open(Providers.using(address), pin);
    return new CaBootstrap(address, store, settings, clock, random);
  }

  /**
   * Sees to it that there is an issuing CA, under a root of its own unless it has another. Running
   * it again changes nothing.
   *
   * @throws CaTokenException {@code AWAITING_CHAIN} after {@link #issuingRequest()}; {@code
   *     CHAIN_REFUSED} if what is there is not valid; {@code FAILED}
   */
  public BootstrapReport ensure() {
    Instant now = clock.instant();
    Optional<StoredKey> existing = store.find(settings.issuingLabel());
    if (existing.isPresent()) {
      if (existing.get().awaitsChain()) {
        throw new CaTokenException(
            CaTokenException.Reason.AWAITING_CHAIN,
            "CA key " + settings.issuingLabel() + " waits for the answer to its request");
      }
      IssuingChain.check(existing.get().chain(), now);
      return new BootstrapReport(false, false, existing.get().chain());
    }
    Optional<StoredKey> existingRoot = store.find(settings.rootLabel());
    StoredKey root = existingRoot.orElseGet(() -> makeRoot(now));
    StoredKey issuing = makeIssuing(root, now);
    return new BootstrapReport(existingRoot.isEmpty(), true, issuing.chain());
  }

  /**
   * A PKCS#10 request in PEM for the issuing CA's key, for a root that is elsewhere. Makes the key
   * if it is missing; the request can be asked for again, also to renew a certificate.
   */
  public String issuingRequest() {
    StoredKey key =
        store
            .find(settings.issuingLabel())
            .orElseGet(() ->
                keys.make(
                    settings.issuingLabel(),
                    settings.issuingKey(),
                    pair -> List.of(placeholder(pair))));
    return PemCertificates.text(certificates.request(caKey(key), settings.issuingName()));
  }

  /**
   * Takes the answer to {@link #issuingRequest()}: the issuing certificate and all above it up to a
   * self-signed root, in any order. Everything is verified before the token is touched; if the
   * token then does not return what it was given, the former certificates are put back.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} if there is no issuing key; {@code
   *     CHAIN_REFUSED} with what is wrong; {@code FAILED}
   */
  public List<X509Certificate> importChain(String pem) {
    StoredKey key =
        store
            .find(settings.issuingLabel())
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no CA key "
                        + settings.issuingLabel()
                        + ": make a request first"));
    List<X509Certificate> chain = IssuingChain.ordered(PemCertificates.read(pem), key.publicKey());
    IssuingChain.check(chain, clock.instant());
    store.store(settings.issuingLabel(), key.privateKey(), chain);
    if (store.find(settings.issuingLabel()).filter(k -> k.chain().equals(chain)).isEmpty()) {
      store.store(settings.issuingLabel(), key.privateKey(), key.chain());
      throw new CaTokenException(
          CaTokenException.Reason.FAILED,
          "the token does not return the chain that was stored; it may hold another certificate of"
              + " the same subject");
    }
    return chain;
  }

  private StoredKey makeRoot(Instant now) {
    return keys.make(
        settings.rootLabel(),
        settings.rootKey(),
        pair ->
            List.of(certificates.root(pair, settings.rootName(), now, settings.rootValidity())));
  }

  private StoredKey makeIssuing(StoredKey root, Instant now) {
    return keys.make(
        settings.issuingLabel(),
        settings.issuingKey(),
        pair -> {
          X509Certificate rootCertificate = root.chain().getFirst();
          List<X509Certificate> chain =
              List.of(
                  certificates.issuing(
                      pair,
                      settings.issuingName(),
                      caKey(root),
                      rootCertificate,
                      now,
                      settings.issuingValidity()),
                  rootCertificate);
          IssuingChain.check(chain, now);
          return chain;
        });
  }

  private X509Certificate placeholder(CaKey pair) {
    return certificates.placeholder(pair, settings.issuingName(), clock.instant());
  }

  private CaKey caKey(StoredKey key) {
    return new CaKey(key.privateKey(), key.publicKey(), store.provider());
  }
}

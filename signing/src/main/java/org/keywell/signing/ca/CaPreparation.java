package org.keywell.signing.ca;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.ServerNames;
import org.keywell.ca.token.BootstrapReport;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.Renewal;
import org.keywell.ca.token.ServiceUse;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.settings.CaProperties;
import org.keywell.settings.LogProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.TsaProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing CA keys and certificates in the tokens of the devices that sign: the root's in
 * the first, an issuing one in each; and in each the keys that sign the log, if one is kept, cosign
 * others' logs, if this is a witness, sign time stamps, and answer OCSP requests, if there are any.
 */
public final class CaPreparation {

  private static final Logger logger = LoggerFactory.getLogger(CaPreparation.class);

  private final CaProperties properties;
  private final LogProperties log;
  private final TsaProperties tsa;
  private final List<CaDevice> devices;
  private final Path home;
  private final InstantSource clock;
  private final List<String> made = new CopyOnWriteArrayList<>();
  private final Map<String, CaBootstrap> opened = new ConcurrentHashMap<>();

  /**
   * @param devices all that sign, in the order of the settings; at least one
   * @param home the data directory; the root certificates are written below it as trust anchors
   */
  CaPreparation(
      CaProperties properties,
      LogProperties log,
      TsaProperties tsa,
      List<CaDevice> devices,
      Path home,
      InstantSource clock) {
    this.properties = properties;
    this.log = log;
    this.tsa = tsa;
    this.devices = List.copyOf(devices);
    this.home = home;
    this.clock = clock;
  }

  /** Creates what is missing; never changes what exists. Reports what it created or found. */
  public List<String> ensure() {
    CaBootstrap first = with(devices.getFirst(), ca -> ca);
    BootstrapReport made = devices.getFirst().use(first::ensure);
    List<String> report = new ArrayList<>();
    X509Certificate root = made.chain().getLast();
    report.add(line(made.rootCreated(), "root", root, devices.getFirst()));
    for (CaDevice device : devices) {
      if (!device.equals(devices.getFirst())) {
        made = device.use(() -> open(device).ensureBeside(first));
      }
      String issuing = "issuing CA '" + properties.issuing().label() + "'";
      report.add(line(made.issuingCreated(), issuing, made.chain().getFirst(), device));
      if (log.isKept()) {
        report.add(
            keyLine(
                device, "audit key", log.keyLabel(), ca -> ca.ensureSigningKey(log.keyLabel())));
        report.add(ed25519Line(device, log.ed25519Label()));
      }
      if (log.witness().isOne()) {
        report.add(ed25519Line(device, log.witness().keyLabel()));
      }
      if (tsa.enabled()) {
        report.add(
            keyLine(
                device,
                "time-stamp key",
                tsa.keyLabel(),
                ca ->
                    ca.ensureServiceKey(
                        ServiceUse.TIME_STAMPS,
                        tsa.keySpec(),
                        tsa.keyLabel(),
                        tsa.subject(),
                        tsa.validity())));
      }
      report.addAll(responders(device));
    }
    report.forEach(line -> logger.info("bootstrap {}", line));
    publish();
    return report;
  }

  /** Returns what {@link #ensure} has created; of certificates, their SHA-256, too. */
  public List<String> made() {
    return List.copyOf(made);
  }

  /** Ensures that each of the CA's keys in a device has one that answers OCSP requests, if any. */
  private List<String> responders(CaDevice device) {
    CaProperties.Ocsp ocsp = properties.ocsp();
    if (ocsp.base().isEmpty()) {
      return List.of();
    }
    List<Renewal> ensured =
        with(
            device,
            ca ->
                ca.ensureResponders(
                    ocsp.keyLabel(),
                    properties.ocspSubject(),
                    ocsp.certificateValidity(),
                    taken(device)));
    return ensured.stream()
        .map(each -> keyLine(device, "OCSP key", each.label(), each.created()))
        .toList();
  }

  /** Not every token has Ed25519; who cannot do without refuses the start. */
  private String ed25519Line(CaDevice device, String label) {
    String key = "Ed25519 key '" + label + "'" + suffix(device);
    try {
      boolean created = device.device().pkcs11().ed25519Keys().ensure(label);
      if (created) {
        made.add(key);
      }
      return prefix(created) + key;
    } catch (HsmException e) {
      return "unable: %s: %s".formatted(key, e.getMessage());
    }
  }

  private String keyLine(
      CaDevice device, String kind, String label, Function<CaBootstrap, Boolean> ensure) {
    return keyLine(device, kind, label, with(device, ensure));
  }

  private String keyLine(CaDevice device, String kind, String label, boolean created) {
    String what = "%s '%s'%s".formatted(kind, label, suffix(device));
    if (created) {
      made.add(what);
    }
    return prefix(created) + what;
  }

  private String line(boolean created, String what, X509Certificate certificate, CaDevice device) {
    String line =
        "%s (%s)%s".formatted(what, certificate.getSubjectX500Principal(), suffix(device));
    if (created) {
      made.add(line + ", SHA-256 " + sha256(certificate));
    }
    return prefix(created) + line;
  }

  private static String sha256(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate of the CA's own", e);
    }
  }

  private static String prefix(boolean created) {
    return created ? "created: " : "exists:  ";
  }

  private static String suffix(CaDevice device) {
    return device.listed() ? " in device " + device.name() : "";
  }

  /**
   * Returns a PKCS#10 request, in PEM, for an external root.
   *
   * @param device holds the issuing key to certify; null: the only one
   * @param newKey whether for a key that follows the present one; makes it, unless one waits
   */
  public String request(@Nullable String device, boolean newKey) {
    CaDevice token = named(device);
    return with(token, ca -> ca.issuingRequest(newKey, taken(token)));
  }

  /** Imports the answer to {@link #request}, in PEM. Returns the chain. */
  public List<X509Certificate> importAnswer(@Nullable String device, String pem) {
    CaDevice token = named(device);
    List<X509Certificate> chain = with(token, ca -> ca.importChain(pem));
    responders(token).forEach(line -> logger.info("import {}", line));
    publish();
    return chain;
  }

  /**
   * Ensures that the issuing CAs have keys of a generation or a later one, certified by the newest
   * root in the first device, and for each key one that answers OCSP requests, if any. Running
   * services take them up. Can be run again at any time.
   *
   * @param device null: all that sign
   * @return what was created or found
   */
  public List<String> renew(@Nullable String device, int generation) {
    CaBootstrap first = open(devices.getFirst());
    List<String> report = new ArrayList<>();
    for (CaDevice each : device == null ? devices : List.of(named(device))) {
      Renewal renewal = with(each, ca -> ca.renew(generation, first, taken(each)));
      report.add(line("issuing CA", renewal, each));
      report.addAll(responders(each));
    }
    publish();
    return report;
  }

  /**
   * Ensures that the first device has a root of a generation or a later one, and that {@code
   * cross.pem} has its certificate by the root before it. The issuing CAs stay below that one until
   * {@link #renew}. Can be run again at any time.
   *
   * @return what was created or found
   */
  public List<String> renewRoot(int generation) {
    CaDevice first = devices.getFirst();
    Renewal root = with(first, ca -> ca.renewRoot(generation, taken(first)));
    Path cross = write("cross.pem", List.of(with(first, CaBootstrap::crossCertificate)));
    publish();
    return List.of(line("root", root, first), "its certificate by the root before it: " + cross);
  }

  private String line(String what, Renewal renewal, CaDevice device) {
    String key = "%s '%s'".formatted(what, renewal.label());
    return line(renewal.created(), key, renewal.certificate(), device);
  }

  private static Set<String> taken(CaDevice device) {
    return device.device().pkcs11().tokenKeyIds();
  }

  /**
   * Returns a PKCS#10 request, in PEM, for the key in an HSM that serves TLS. Creates that key if
   * it is missing.
   *
   * @param device null: the first
   */
  public String serverRequest(@Nullable String device, String label, ServerNames names) {
    CaDevice token = device == null ? devices.getFirst() : named(device);
    return with(
        token,
        ca -> {
          if (ca.ensureSigningKey(label)) {
            made.add("server key '%s'%s".formatted(label, suffix(token)));
          }
          return ca.serverRequest(label, names);
        });
  }

  private CaDevice named(@Nullable String name) {
    List<String> names = devices.stream().map(CaDevice::name).toList();
    if (name == null && devices.size() > 1) {
      throw new StartRefusedException(
          "there are several devices that sign: name one of %s by --device".formatted(names));
    }
    return devices.stream()
        .filter(device -> name == null || device.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new StartRefusedException(
                "no device that signs has the name '%s'; known: %s".formatted(name, names)));
  }

  private <T> T with(CaDevice device, Function<CaBootstrap, T> work) {
    return device.use(() -> work.apply(open(device)));
  }

  private CaBootstrap open(CaDevice device) {
    return opened.computeIfAbsent(device.name(), _ -> device.bootstrap(properties, clock));
  }

  /** Writes the roots that are valid now. Usually, all issuing CAs have the same. */
  private void publish() {
    Instant now = clock.instant();
    Path _ =
        write(
            "root.pem",
            devices.stream()
                .flatMap(device -> with(device, CaBootstrap::rootCertificates).stream())
                .distinct()
                .filter(root -> now.isBefore(root.getNotAfter().toInstant()))
                .toList());
  }

  private Path write(String name, List<X509Certificate> certificates) {
    try {
      Path directory = Files.createDirectories(home.resolve("ca"));
      return Files.writeString(directory.resolve(name), PemCertificates.write(certificates));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write certificates of the CA below " + home, e);
    }
  }
}

package org.keywell.acceptance.running;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.keywell.testkit.TlsAuthority;

/** A service's keys, callers and settings for queues whose messages are protected. */
public final class ProtectedQueues {

  /** Signs answers. */
  public static final String SIGNER = "answers";

  /** Whom requests are encrypted to. */
  public static final String SERVICE = "service-box";

  /** Whom the portal's answers are encrypted to. */
  public static final String BOX = "portal-box";

  private static final Duration DAY = Duration.ofDays(1);

  private ProtectedQueues() {}

  /**
   * Makes certificates of an authority {@code ca}: {@code portal} and {@code other} are callers;
   * {@code expired}, {@code revoked} and {@code web} would be if their certificates were good;
   * {@code unlisted} is none. That of {@code foreign/portal} is another authority's.
   */
  public static Map<String, String> settings(Path files) throws Exception {
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify(SIGNER);
    StringBuilder callers = new StringBuilder("callers:\n");
    for (String name : new String[] {"portal", "other", "revoked", "unlisted"}) {
      authority.certify(name, "extendedKeyUsage=clientAuth");
    }
    authority.certify("web", "extendedKeyUsage=serverAuth");
    authority.certify("expired", Instant.now().minus(DAY), Instant.now().minusSeconds(60));
    authority.revoke("revoked");
    authority.list("ca.crl", Instant.now().plus(DAY));
    for (String name : new String[] {"portal", "other", "revoked", "web", "expired"}) {
      callers.append(
          "  - {name: %1$s, broker-user: %1$s, certificate: {subject: CN=%1$s}, roles: [sign], identity: trusted-caller}\n"
              .formatted(name));
    }
    TlsAuthority.create(Files.createDirectory(files.resolve("foreign")), "ca").certify("portal");
    CmsMessages cms = new CmsMessages(files);
    cms.receiver(SERVICE);
    cms.receiver(BOX);
    Path protection =
        PrivateText.write(
            files.resolve("protection.yaml"),
            """
            protection:
              queues:
                - {name: %s, requests: integrity, answers: integrity, consumers: 2}
                - {name: %s, requests: privacy, answers: privacy, callers: [portal], consumers: 2}
                - {name: %s, requests: confidentiality, answers: confidentiality, consumers: 2}
              recipients:
                - {caller: portal, certificate: %s}
            """
                .formatted(
                    ArtemisBroker.SIGNED,
                    ArtemisBroker.PRIVATE,
                    ArtemisBroker.SECRET,
                    files.resolve(BOX + ".pem")));
    Map<String, String> settings = new HashMap<>();
    settings.put("keywell.jms.protection-file", protection.toString());
    settings.put("keywell.jms.signing-bundle", "signing");
    settings.put("keywell.jms.decryption-bundle", "decryption");
    key(settings, "signing", files, SIGNER);
    key(settings, "decryption", files, SERVICE);
    settings.put(
        "spring.ssl.bundle.pem.signing.truststore.certificate",
        authority.certificate().toUri().toString());
    settings.put("keywell.security.revocation.crl-file", files.resolve("ca.crl").toString());
    settings.put(
        "keywell.security.callers-file",
        PrivateText.write(files.resolve("callers.yaml"), callers.toString()).toString());
    return settings;
  }

  private static void key(Map<String, String> settings, String bundle, Path files, String name) {
    String prefix = "spring.ssl.bundle.pem." + bundle + ".keystore.";
    settings.put(prefix + "certificate", files.resolve(name + ".pem").toUri().toString());
    settings.put(prefix + "private-key", files.resolve(name + ".key").toUri().toString());
  }
}

package org.keywell.bench.parts;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.keywell.bench.parts.KeyStoreConnection.KeyStore;
import org.keywell.bench.parts.KeyStoreLoad.Figures;
import org.keywell.bench.parts.KeyStoreLoad.Request;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Repeated;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Reading;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TrialSite;

/**
 * Part p: how often the external key store encrypts and decrypts a data key, and how long that
 * takes at half of the rate aimed at while the service generates and signs.
 *
 * @param folder for certificates and a credential, which are removed
 */
public record ExternalKeyPart(Rig rig, Path folder) implements Part {
  private static final String ACCESS_KEY_ID = "KEYWELLBENCHSTORE234567";
  private static final int USUAL_PORT = 8443;
  private static final int SECRET_BYTES = 32;
  private static final int CONNECTIONS = 4;
  private static final int ROUND_REQUESTS = 60_000;
  private static final int WARM_UP_ROUNDS = 3;
  private static final int SIGNED_EACH_TIME = 10;

  /**
   * Half of what has to be reached with four connections. Half of what is reached takes one of two
   * processors, and a generator takes the other: nothing would be left.
   */
  private static final int BESIDE_PER_SECOND = Way.DECRYPT_FOUR.target / 2;

  private static final Duration SIGNED_EVERY = Duration.ofSeconds(1);
  private static final Goal P50 = Goal.of(1, 0.5);
  private static final Goal P99_BESIDE = Goal.of(50, 10);

  private enum Way {
    ENCRYPT_ONE("encrypt, 1 connection", 1, 1_500),
    DECRYPT_ONE("decrypt, 1 connection", 1, 1_500),
    ENCRYPT_FOUR("encrypt, 4 connections", CONNECTIONS, 2_500),
    DECRYPT_FOUR("decrypt, 4 connections", CONNECTIONS, 2_500);

    private final String label;
    private final int connections;
    private final int target;

    Way(String label, int connections, int target) {
      this.label = label;
      this.connections = connections;
      this.target = target;
    }

    Request of(OpenKeyStore store) {
      return switch (this) {
        case ENCRYPT_ONE, ENCRYPT_FOUR -> store::encrypt;
        case DECRYPT_ONE, DECRYPT_FOUR -> store::decrypt;
      };
    }
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    TlsPlan tls = new TlsPlan(1, 1, 0, List.of(), List.of(), true, false);
    try (TrialSite site = TrialSite.create(folder, OpenSsl.find("openssl"), tls)) {
      byte[] secret = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(secret);
      int port = FreePorts.from(USUAL_PORT);
      KeyStore store =
          new KeyStore(
              site.client(),
              URI.create("https://127.0.0.1:" + port + "/kms/xks/v1"),
              ACCESS_KEY_ID,
              HexFormat.of().formatHex(secret));
      Map<Way, List<Figures>> alone = alone(settings(site, store), store, rounds);
      ServiceSettings generating =
          settings(site, store).with(ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"), "1000000");
      return result(alone, beside(generating, store, rounds));
    }
  }

  private static ServiceSettings settings(TrialSite site, KeyStore store) throws IOException {
    Path credentials = site.directory().resolve("credentials");
    Files.deleteIfExists(credentials);
    Files.createFile(
        credentials,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(credentials, store.accessKeyId() + " " + store.secret() + "\n");
    ServiceSettings all = new ServiceSettings();
    site.tlsSettings()
        .forEach((name, value) -> {
          if (name.startsWith("SPRING_SSL_")) {
            var _ = all.with(name, value);
          }
        });
    return all.with("KEYWELL_XKS_ENABLED", "true")
        .with("KEYWELL_XKS_PORT", Integer.toString(store.base().getPort()))
        .with("KEYWELL_XKS_BUNDLE", "trial")
        // A slow answer is to be measured; a failure would end the run.
        .with("KEYWELL_XKS_DEADLINE", "5s")
        .with("KEYWELL_XKS_CREDENTIALSFILE", credentials.toString());
  }

  private Map<Way, List<Figures>> alone(ServiceSettings settings, KeyStore store, int rounds)
      throws IOException, InterruptedException {
    Map<Way, List<Figures>> figures = new EnumMap<>(Way.class);
    int requests = rig.scaled(ROUND_REQUESTS);
    try (BenchService service = rig.startWarm("encrypting", settings.environment());
        OpenKeyStore open = OpenKeyStore.open(service, store, folder, CONNECTIONS)) {
      for (int round = 0; round <= rounds; round++) {
        for (Way way : Way.values()) {
          Figures of =
              new KeyStoreLoad(round == 0 ? WARM_UP_ROUNDS * requests : requests, Duration.ZERO)
                  .run(open.connections().subList(0, way.connections), way.of(open));
          if (round > 0) {
            figures.computeIfAbsent(way, _ -> new ArrayList<>()).add(of);
            rig.tell(
                "round %d of %d: %s, %.0f requests/s"
                    .formatted(round, rounds, way.label, of.perSecond()));
          }
        }
      }
    }
    return figures;
  }

  /** The service is at work as usual: it generates all the time, and signs ten times a second. */
  private List<Figures> beside(ServiceSettings settings, KeyStore store, int rounds)
      throws IOException, InterruptedException {
    List<Figures> figures = new ArrayList<>();
    int requests = rig.scaled(ROUND_REQUESTS);
    Duration pace = Duration.ofSeconds(1).dividedBy(BESIDE_PER_SECOND);
    KeyStoreLoad load = new KeyStoreLoad(requests, pace);
    try (BenchService service = rig.startWarm("encrypting-beside", settings.environment());
        OpenKeyStore open = OpenKeyStore.open(service, store, folder, CONNECTIONS)) {
      var _ =
          new KeyStoreLoad(WARM_UP_ROUNDS * requests, pace)
              .run(open.connections(), Way.DECRYPT_FOUR.of(open));
      for (int round = 1; round <= rounds; round++) {
        try (Repeated<AbRun> signing =
            Repeated.start(
                SIGNED_EVERY,
                () -> rig.driver().run(service.url(), Stock.EC, SIGNED_EACH_TIME, 1))) {
          figures.add(load.run(open.connections(), Way.DECRYPT_FOUR.of(open)));
          List<AbRun> _ = signing.end();
        }
        rig.tell(
            "round %d of %d: while the service generates and signs, p99 %.1f ms"
                .formatted(round, rounds, figures.getLast().p99Millis()));
      }
    }
    return figures;
  }

  private static PartResult result(Map<Way, List<Figures>> alone, List<Figures> beside) {
    List<Reading> readings = new ArrayList<>();
    alone.forEach((way, of) -> {
      readings.add(
          new Reading(
              way.label,
              Medians.of(of, Figures::perSecond),
              "requests/s",
              Goal.of(way.target, 2.0 * way.target)));
      Goal p50 = way.connections == 1 ? P50 : Goal.NONE;
      readings.add(new Reading(way.label + ", p50", Medians.of(of, Figures::p50Millis), "ms", p50));
      readings.add(Reading.of(way.label + ", p99", Medians.of(of, Figures::p99Millis), "ms"));
    });
    String busy =
        "decrypt at %d a second while the service generates and signs".formatted(BESIDE_PER_SECOND);
    readings.add(Reading.of(busy, Medians.of(beside, Figures::perSecond), "requests/s"));
    readings.add(Reading.of(busy + ", p50", Medians.of(beside, Figures::p50Millis), "ms"));
    readings.add(
        new Reading(busy + ", p99", Medians.of(beside, Figures::p99Millis), "ms", P99_BESIDE));
    return new PartResult(List.of(), readings);
  }
}

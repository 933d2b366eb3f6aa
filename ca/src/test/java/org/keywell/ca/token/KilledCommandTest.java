package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.ServerNames;
import org.keywell.ca.Subject;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * Each command that makes keys of the CA and of the service, ended before each of its writes to the
 * token and run again. It hangs in that call: nothing cleans up.
 */
@Tag("softhsm")
@Timeout(240)
final class KilledCommandTest {

  private static final long CKR_DEVICE_REMOVED = 0x32;

  /** Those by which SunPKCS11 makes objects, moves them to the token and describes them. */
  private static final List<String> WRITES =
      List.of("C_GenerateKeyPair", "C_CopyObject", "C_CreateObject", "C_SetAttributeValue");

  private static final Duration YEAR = Duration.ofDays(365);

  enum Command {
    BOOTSTRAP,
    LOG_KEY,
    TIME_STAMPS,
    RESPONDER,
    SERVER_REQUEST,
    RENEWAL,
    ROOT_RENEWAL,
    REQUEST
  }

  /** The labels of all keys after a command, each as often as there are generations. */
  private static List<String> labels(Command command) {
    return switch (command) {
      case BOOTSTRAP -> List.of("root", "issuing");
      case LOG_KEY -> List.of("root", "issuing", "log");
      case TIME_STAMPS -> List.of("root", "issuing", "stamps");
      case RESPONDER -> List.of("root", "issuing", "ocsp");
      case SERVER_REQUEST -> List.of("root", "issuing", "server");
      case RENEWAL, REQUEST -> List.of("root", "issuing", "issuing");
      case ROOT_RENEWAL -> List.of("root", "root", "issuing");
    };
  }

  /** Returns what a command has made or written. */
  private static Object run(Command command, SoftHsm token) {
    CaBootstrap ca = ca(token);
    return switch (command) {
      case BOOTSTRAP -> ca.ensure();
      case LOG_KEY -> ca.ensureSigningKey("log");
      case TIME_STAMPS ->
          ca.ensureServiceKey(
              ServiceUse.TIME_STAMPS,
              CaKeySpec.EC_P256,
              "stamps",
              Subject.ofCommonName("stamps"),
              YEAR);
      case RESPONDER ->
          ca.ensureResponders("ocsp", Subject.ofCommonName("ocsp"), YEAR, token.labels());
      case SERVER_REQUEST -> {
        boolean _ = ca.ensureSigningKey("server");
        yield ca.serverRequest("server", ServerNames.of(List.of("a.example"), false));
      }
      case RENEWAL -> ca.renew(2, ca, token.labels());
      case ROOT_RENEWAL -> ca.renewRoot(2, token.labels());
      case REQUEST -> ca.issuingRequest(true, token.labels());
    };
  }

  @TempDir private Path directory;

  private static CaSettings settings() {
    return new CaSettings(
        "root",
        "issuing",
        Subject.ofCommonName("Root"),
        Subject.ofCommonName("Issuing"),
        CaKeySpec.EC_P256,
        CaKeySpec.EC_P256,
        YEAR.multipliedBy(10),
        YEAR.multipliedBy(5),
        Optional.empty());
  }

  private static CaBootstrap ca(SoftHsm token) {
    return CaBootstrap.in(token.keys(), settings(), InstantSource.system(), new SecureRandom());
  }

  @ParameterizedTest
  @EnumSource(Command.class)
  void theNextRunWorksAndWhatIsLeftIsCounted(Command command) throws Exception {
    int kills = 0;
    long mostLeft = 0;
    try (FaultyModule module = FaultyModule.create(directory)) {
      for (String function : WRITES) {
        boolean killed = true;
        for (int n = 0; killed; n++) {
          SoftHsm token = SoftHsm.behind(module.path());
          if (command != Command.BOOTSTRAP) {
            var _ = ca(token).ensure();
          }
          long before = module.faults(function);
          module.inject(
              function, Fault.hanging().thenReturning(CKR_DEVICE_REMOVED).after(n).times(1));
          Thread process = Thread.ofPlatform().daemon().start(() -> runIgnored(command, token));
          while (process.isAlive() && module.faults(function) == before) {
            Thread.sleep(1);
          }
          killed = module.faults(function) > before;
          kills += killed ? 1 : 0;
          long left = assertGoesOn(token, command, "%s %d".formatted(function, n), killed);
          mostLeft = Math.max(mostLeft, left);
          module.clear(function);
          process.join();
        }
      }
    }
    assertThat(kills).isGreaterThanOrEqualTo(3);
    assertThat(mostLeft).as("a key without its certificate").isOne();
  }

  private static void runIgnored(Command command, SoftHsm token) {
    try {
      Object _ = run(command, token);
    } catch (CaTokenException e) {
      // It goes on once its test is over.
    }
  }

  /** Returns how many keys are left that nothing uses. */
  private static long assertGoesOn(SoftHsm token, Command command, String at, boolean killed) {
    assertThat(run(command, token)).as(at).isNotNull();
    long keys = token.strays(Set.of());
    assertThat(run(command, token)).as(at).isNotNull();
    assertThat(token.strays(Set.of())).as("%s: made once", at).isEqualTo(keys);

    TokenKeyStore store = new TokenKeyStore(token.keys());
    Set<String> usable = new HashSet<>();
    for (String label : new HashSet<>(labels(command))) {
      for (KeyGeneration each : store.generations(label)) {
        assertThat(each.key().chain()).as(at).isNotEmpty();
        usable.add(each.label());
      }
    }
    assertThat(usable).as("%s: keys that work", at).hasSize(labels(command).size());
    long left = token.strays(usable);
    assertThat(left).as("%s: counted by check", at).isEqualTo(keys - usable.size());
    assertThat(left).as("%s: at most what one run left", at).isBetween(0L, killed ? 1L : 0L);
    List<X509Certificate> chain = ca(token).chain().orElseThrow();
    assertThat(IssuingChain.ordered(chain, chain.getFirst().getPublicKey())).isEqualTo(chain);
    return left;
  }
}

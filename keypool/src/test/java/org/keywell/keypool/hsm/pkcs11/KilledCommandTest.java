package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;

/**
 * Each command that makes a token or keys that stay in it, in a process that is killed before its
 * last write of each kind, and run again.
 */
@Tag("softhsm")
@Tag("process")
@Timeout(240)
final class KilledCommandTest {

  private static final String SHARED = "shared";
  private static final String PIN = "KEYWELL_KILLED_PIN";

  private static final List<String> WRITES =
      List.of(
          "C_InitToken",
          "C_InitPIN",
          "C_GenerateKey",
          "C_GenerateKeyPair",
          "C_UnwrapKey",
          "C_CreateObject",
          "C_CopyObject",
          "C_SetAttributeValue",
          "C_DestroyObject");

  /** Somebody's. */
  private static final byte[] TRANSPORT_KEY = rsa().getPublic().getEncoded();

  private static KeyPair rsa() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(TransportPublicKey.BITS);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  enum Command {
    TOKEN,
    MANAGED_WRAPPING_KEY,
    TRANSPORT_PAIR,
    ENROL,
    ACCEPT,
    LOG_KEY
  }

  /** A token, and what another one has made for it. */
  private record Place(SoftHsmToken token, @Nullable EnrolledKey answer) {}

  private static Place place(Command command, Path module) {
    SoftHsmToken token =
        switch (command) {
          case TOKEN -> SoftHsmToken.notYetCreated(module);
          case MANAGED_WRAPPING_KEY, TRANSPORT_PAIR, ENROL, ACCEPT ->
              SoftHsmToken.createWithoutWrappingKey(module);
          case LOG_KEY -> SoftHsmToken.create(module);
        };
    return new Place(
        token,
        command == Command.ACCEPT
            ? enrol(SoftHsmToken.createWithoutWrappingKey(), SHARED, request(token))
            : null);
  }

  private static byte[] request(SoftHsmToken token) {
    try (Pin pin = token.pin()) {
      return WrappingKeyRecipient.request(token.config(), pin).publicKey();
    }
  }

  private static EnrolledKey enrol(SoftHsmToken origin, String label, byte[] transportKey) {
    List<EnrolledKey> delivered = new ArrayList<>();
    try (Pin pin = origin.pin()) {
      String _ =
          WrappingKeyOrigin.enrol(
              origin.config().withWrappingKeyLabel(label),
              pin,
              List.of(transportKey),
              delivered::addAll);
    }
    return delivered.getFirst();
  }

  private static Object run(Command command, Place place) {
    SoftHsmToken token = place.token();
    try (Pin pin = token.pin();
        Pin soPin = Pin.of(RandomPin.characters())) {
      return switch (command) {
        case TOKEN -> {
          var _ = TokenBootstrap.ensureToken(token.config(), soPin, pin);
          yield TokenBootstrap.ensureWrappingKey(token.config(), pin);
        }
        case MANAGED_WRAPPING_KEY -> TokenBootstrap.ensureManagedWrappingKey(token.config(), pin);
        case TRANSPORT_PAIR -> WrappingKeyRecipient.request(token.config(), pin);
        case ENROL -> enrol(token, SHARED, TRANSPORT_KEY);
        case ACCEPT ->
            WrappingKeyRecipient.accept(
                token.config(), pin, Objects.requireNonNull(place.answer()));
        case LOG_KEY -> {
          try (Pkcs11Hsm hsm = token.open()) {
            yield hsm.ed25519Keys().ensure("log");
          }
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Command.class)
  void theNextRunWorksAndWhatIsLeftIsCounted(Command command, @TempDir Path directory)
      throws Exception {
    try (FaultyModule module = FaultyModule.create(directory)) {
      Map<String, Long> calls = calls(command, module);
      assertThat(calls).isNotEmpty();
      for (Map.Entry<String, Long> each : calls.entrySet()) {
        long last = each.getValue() - 1;
        Place place = place(command, module.path());
        kill(module, each.getKey(), last, command, place);
        assertGoesOn(command, place, "%s %d".formatted(each.getKey(), last));
      }
    }
  }

  /** Returns how often a command that is not killed writes. */
  private static Map<String, Long> calls(Command command, FaultyModule module) throws Exception {
    Place place = place(command, module.path());
    Map<String, Long> before = new TreeMap<>();
    WRITES.forEach(function -> before.put(function, module.calls(function)));
    assertThat(start(command, place).waitFor()).isZero();
    Map<String, Long> calls = new TreeMap<>();
    before.forEach((function, count) -> calls.put(function, module.calls(function) - count));
    calls.values().removeIf(count -> count == 0);
    return calls;
  }

  private static void kill(
      FaultyModule module, String function, long after, Command command, Place place)
      throws Exception {
    long before = module.faults(function);
    module.inject(function, Fault.hanging().after(after).times(1));
    Process process = start(command, place);
    try {
      while (module.faults(function) == before) {
        assertThat(process.isAlive()).as("%s %d", function, after).isTrue();
        Thread.sleep(1);
      }
    } finally {
      process.destroyForcibly().waitFor();
      module.clear(function);
    }
  }

  private static Process start(Command command, Place place) throws IOException {
    SoftHsmToken token = place.token();
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                KilledCommandTest.class.getName(),
                command.name(),
                token.config().module().toString(),
                token.config().tokenLabel()));
    EnrolledKey answer = place.answer();
    if (answer != null) {
      line.add(answer.label());
      Stream.of(
              answer.ckaId(),
              answer.transportKey(),
              answer.encryptedKey(),
              answer.checkPublicKey(),
              answer.checkPrivateKey())
          .map(HexFormat.of()::formatHex)
          .forEach(line::add);
    }
    ProcessBuilder process = new ProcessBuilder(line).inheritIO();
    process.environment().putAll(SoftHsm2.environment());
    process.environment().put(PIN, new String(token.pinCharacters()));
    return process.start();
  }

  /** The process that is killed. */
  public static void main(String... arguments) {
    SoftHsmToken token =
        SoftHsmToken.of(Path.of(arguments[1]), arguments[2], System.getenv(PIN).toCharArray());
    EnrolledKey answer = null;
    if (arguments.length > 3) {
      List<byte[]> parts = Stream.of(arguments).skip(4).map(HexFormat.of()::parseHex).toList();
      answer =
          new EnrolledKey(
              arguments[3], parts.get(0), parts.get(1), parts.get(2), parts.get(3), parts.get(4));
    }
    Object _ = run(Command.valueOf(arguments[0]), new Place(token, answer));
  }

  private static void assertGoesOn(Command command, Place place, String at) {
    SoftHsmToken token = place.token();
    if (command == Command.ENROL) {
      assertEnrols(token, at);
      return;
    }
    assertThat(run(command, place)).as(at).isNotNull();
    assertThat(run(command, place)).as(at).isNotNull();
    Pkcs11Config config =
        command == Command.ACCEPT ? token.config().withWrappingKeyLabel(SHARED) : token.config();
    if (command == Command.TRANSPORT_PAIR) {
      var _ = token.addWrappingKey(SoftHsmToken.WRAPPING_KEY_LABEL);
    }
    try (Pkcs11Hsm hsm = token.open(config)) {
      boolean isLog = command == Command.LOG_KEY;
      assertThat(hsm.countStrayTokenKeys(isLog ? Set.of("log") : Set.of()))
          .as("%s: keys that nothing uses", at)
          .isZero();
      assertThat(hsm.ed25519Keys().find("log").isPresent()).as(at).isEqualTo(isLog);
    }
  }

  /** It may be in use elsewhere: whether its copy was delivered, the token does not tell. */
  private static void assertEnrols(SoftHsmToken token, String at) {
    String label = SHARED;
    try {
      var _ = enrol(token, label, TRANSPORT_KEY);
    } catch (HsmException e) {
      assertThat(e).as(at).hasMessageContaining("the token has a wrapping key 'shared' already");
      label = "another";
      var _ = enrol(token, label, TRANSPORT_KEY);
    }
    String taken = label;
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> enrol(token, taken, TRANSPORT_KEY));
    try (Pkcs11Hsm hsm = token.open(token.config().withWrappingKeyLabel(label))) {
      assertThat(hsm.countStrayTokenKeys(Set.of()))
          .as("%s: the one that was left", at)
          .isEqualTo(label.equals(SHARED) ? 0 : 1);
    }
  }
}

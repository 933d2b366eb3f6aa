package org.keywell.signing.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;
import org.keywell.signing.start.StartPatience;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/** Several tokens of one module. */
@Tag("softhsm")
final class DevicesTest {

  private static final long CKR_PIN_INCORRECT = 0xA0;
  private static final long CKR_DEVICE_REMOVED = 0x32;

  private final SoftHsmToken east = SoftHsmToken.create();
  private final SoftHsmToken west = SoftHsmToken.create();
  private final Set<String> called = ConcurrentHashMap.newKeySet();

  private KeywellProperties settings(String... more) {
    return BoundSettings.of(
        Stream.concat(
                Stream.of(
                    "keywell.hsm.module=" + east.config().module(),
                    "keywell.hsm.wrapping-key-label=" + SoftHsmToken.WRAPPING_KEY_LABEL,
                    "keywell.hsm.devices[0].name=east",
                    "keywell.hsm.devices[0].token-label=" + east.config().tokenLabel(),
                    "keywell.hsm.devices[0].pin=" + new String(east.pinCharacters()),
                    "keywell.hsm.devices[0].role=generate",
                    "keywell.hsm.devices[1].name=west",
                    "keywell.hsm.devices[1].token-label=" + west.config().tokenLabel(),
                    "keywell.hsm.devices[1].pin=" + new String(west.pinCharacters()),
                    "keywell.hsm.devices[1].weight=3"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private Devices open(KeywellProperties settings) {
    return open(settings, new StartPatience(Duration.ZERO, System::nanoTime, time -> false));
  }

  private Devices open(KeywellProperties settings, StartPatience patience) {
    HsmConfiguration configuration = new HsmConfiguration();
    Function<String, CallListener> listeners =
        device -> (function, returnValue, began, ended) -> called.add(device);
    HsmTimes times = configuration.hsmTimes(settings);
    return configuration.devices(
        settings,
        configuration.tokenPreparation(settings),
        times,
        configuration.deviceOpener(settings, times, List.of(listeners), patience));
  }

  @Test
  void eachIsOpenedByItsOwnSettings() {
    try (Devices devices = open(settings())) {
      assertThat(devices.all()).extracting(OpenDevice::name).containsExactly("east", "west");
      assertThat(devices.first().role()).isEqualTo(DeviceRole.GENERATE);
      assertThat(devices.signing()).extracting(OpenDevice::weight).containsExactly(3);
      assertThat(devices.first().config().tokenLabel()).isEqualTo(east.config().tokenLabel());
      assertThat(devices.first().hsm().wrappingKeyId())
          .isNotEqualTo(devices.all().getLast().hsm().wrappingKeyId());
    }
  }

  @Test
  void callsAreToldByTheNameOfTheirDevice() {
    try (Devices devices = open(settings())) {
      assertThat(called).containsExactlyInAnyOrder("east", "west");
      called.clear();

      devices
          .all()
          .getLast()
          .hsm()
          .destroy(devices.all().getLast().hsm().generate(KeySpec.EC_P256).privateKey());

      assertThat(called).containsExactly("west");
    }
  }

  @Test
  void aDeviceThatCannotBeOpenedIsNamed() {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> open(settings("keywell.hsm.devices[1].token-label=nowhere")))
        .withMessageStartingWith("device west: ")
        .withMessageContaining("nowhere");
  }

  /** By settings that do not fit the token, as those of before where it was replaced or emptied. */
  @ParameterizedTest
  @ValueSource(
      strings = {"token-label=nowhere", "wrapping-key-label=none-of-this-name", "pin=wrong-pin"})
  void oneThatCannotBeUsedIsLeftOutWhereAnotherSigns(String replaced) {
    String role = "keywell.hsm.devices[0].role=both";
    try (Devices devices = open(settings(role, "keywell.hsm.devices[1]." + replaced))) {
      assertThat(devices.all()).extracting(OpenDevice::name).containsExactly("east");
      assertThat(devices.missing()).extracting(DeviceProperties::name).containsExactly("west");
      assertThat(devices.leftOut("east")).isEmpty();
      LeftOut west = devices.leftOut("west").orElseThrow();
      assertThat(west.why()).startsWith("device west: ");
      assertThat(west.untilRestart()).isEqualTo(replaced.startsWith("pin"));
    }
  }

  @Test
  void whereNoneCanBeUsedTheFirstIsTold() {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() ->
            open(
                settings(
                    "keywell.hsm.devices[0].role=both",
                    "keywell.hsm.devices[0].token-label=nowhere",
                    "keywell.hsm.devices[1].pin=wrong-pin")))
        .withMessageStartingWith("device east: ")
        .withMessageContaining("nowhere");
  }

  /** While the start waits for the other one, too. */
  @Test
  void aPinThatWasRefusedIsNotTriedAgain(@TempDir Path home) {
    try (FaultyModule module = FaultyModule.create(home.resolve("north"));
        FaultyModule away = FaultyModule.create(home.resolve("south"))) {
      SoftHsmToken north = SoftHsmToken.create(module.path());
      SoftHsmToken south = SoftHsmToken.create(away.path());
      KeywellProperties settings =
          settings(
              "keywell.hsm.devices[0].role=both",
              "keywell.hsm.devices[0].module=" + module.path(),
              "keywell.hsm.devices[0].token-label=" + north.config().tokenLabel(),
              "keywell.hsm.devices[0].pin=wrong-pin",
              "keywell.hsm.devices[1].module=" + away.path(),
              "keywell.hsm.devices[1].token-label=" + south.config().tokenLabel(),
              "keywell.hsm.devices[1].pin=" + new String(south.pinCharacters()));
      // A token that does not tell of logins that failed.
      module.inject("C_Login", Fault.returning(CKR_PIN_INCORRECT));
      away.gone(CKR_DEVICE_REMOVED);
      long before = module.calls("C_Login");
      AtomicInteger pauses = new AtomicInteger();
      StartPatience patience =
          new StartPatience(
              Duration.ofMinutes(1),
              System::nanoTime,
              time -> {
                if (pauses.incrementAndGet() == 3) {
                  away.back();
                }
                return false;
              });

      try (Devices devices = open(settings, patience)) {
        assertThat(devices.all()).extracting(OpenDevice::name).containsExactly("west");
        assertThat(pauses).hasValue(3);
        assertThat(module.calls("C_Login") - before).isEqualTo(1);
      }
    }
  }

  @Test
  void aSettingThatNoDeviceCanHaveIsRefusedByItsName() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> open(settings("keywell.hsm.devices[1].token-label=" + "w".repeat(33))))
        .withMessage("keywell.hsm.devices: device west: tokenLabel is longer than 32 bytes");
  }

  @Test
  void commandsWorkWithTheDeviceThatIsNamed() {
    assertThat(TokenAccess.named(settings().hsm(), "west").config().tokenLabel())
        .isEqualTo(west.config().tokenLabel());
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> TokenAccess.named(settings().hsm(), "north"))
        .withMessage("no device has the name 'north'; known: [east, west]");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> TokenAccess.named(settings().hsm(), null))
        .withMessage("there are several devices: name one of [east, west] by --device");
  }
}

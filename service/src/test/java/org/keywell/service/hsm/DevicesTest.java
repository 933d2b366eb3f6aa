package org.keywell.service.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.settings.KeywellPropertiesTest;
import org.keywell.service.settings.StartRefusedException;
import org.keywell.service.start.StartPatience;

/** Several tokens of one module. */
@Tag("softhsm")
final class DevicesTest {

  private final SoftHsmToken east = SoftHsmToken.create();
  private final SoftHsmToken west = SoftHsmToken.create();
  private final Set<String> called = ConcurrentHashMap.newKeySet();

  private KeywellProperties settings(String... more) {
    return KeywellPropertiesTest.bind(
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
    HsmConfiguration configuration = new HsmConfiguration();
    Function<String, CallListener> listeners =
        device -> (function, returnValue, began, ended) -> called.add(device);
    return configuration.devices(
        settings,
        configuration.tokenPreparation(settings),
        configuration.hsmTimes(settings),
        List.of(listeners),
        new StartPatience(Duration.ZERO, System::nanoTime, time -> false));
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

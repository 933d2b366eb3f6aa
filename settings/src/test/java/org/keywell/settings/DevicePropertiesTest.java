package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.DeviceRole;

/** {@code keywell.hsm.devices[]}. */
final class DevicePropertiesTest {

  private static final String[] TWO = {
    "keywell.hsm.module=/lib/p11.so",
    "keywell.hsm.devices[0].name=a",
    "keywell.hsm.devices[1].name=b",
    "keywell.hsm.devices[1].token-label=other"
  };

  private static List<DeviceProperties> bind(String... settings) {
    return KeywellPropertiesTest.bind(settings).hsm().devices();
  }

  private static String refusal(String... more) {
    return KeywellPropertiesTest.refusal(with(TWO, more));
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void withoutAListThereIsOneDevice() {
    assertThat(
            bind(
                "keywell.hsm.module=/lib/p11.so",
                "keywell.hsm.pin=1234",
                "keywell.hsm.max-sessions=7"))
        .containsExactly(
            new DeviceProperties(
                false,
                "hsm",
                DeviceRole.BOTH,
                1,
                Path.of("/lib/p11.so"),
                "keywell",
                null,
                "1234",
                null,
                "keywell-wrapping",
                null,
                7,
                4));
  }

  @Test
  void whatADeviceDoesNotSayIsThatOfAll() {
    List<DeviceProperties> devices =
        bind(
            with(
                TWO,
                "keywell.hsm.pin-file=/etc/pin",
                "keywell.hsm.so-pin-file=/etc/so-pin",
                "keywell.hsm.wrapping-key-label=w",
                "keywell.hsm.initialize-parameters=i",
                "keywell.hsm.max-sessions=9",
                "keywell.hsm.unwrap-sessions=2",
                "keywell.hsm.devices[1].module=/lib/other.so",
                "keywell.hsm.devices[1].so-pin-file=/etc/other-so-pin",
                "keywell.hsm.devices[1].wrapping-key-label=x",
                "keywell.hsm.devices[1].initialize-parameters=j",
                "keywell.hsm.devices[1].max-sessions=8",
                "keywell.hsm.devices[1].unwrap-sessions=16",
                "keywell.hsm.devices[1].role=sign",
                "keywell.hsm.devices[1].weight=100"));

    assertThat(devices)
        .containsExactly(
            new DeviceProperties(
                true,
                "a",
                DeviceRole.BOTH,
                1,
                Path.of("/lib/p11.so"),
                "keywell",
                Path.of("/etc/pin"),
                null,
                Path.of("/etc/so-pin"),
                "w",
                "i",
                9,
                2),
            new DeviceProperties(
                true,
                "b",
                DeviceRole.SIGN,
                100,
                Path.of("/lib/other.so"),
                "other",
                Path.of("/etc/pin"),
                null,
                Path.of("/etc/other-so-pin"),
                "x",
                "j",
                8,
                16));
  }

  /** A file wins over a PIN, but not that of all over a device's own. */
  @Test
  void aDevicesOwnPinIsNotThatOfAll() {
    List<DeviceProperties> devices =
        bind(
            with(
                TWO,
                "keywell.hsm.pin-file=/etc/pin",
                "keywell.hsm.pin=1234",
                "keywell.hsm.devices[0].pin=5678",
                "keywell.hsm.devices[1].pin-file=/etc/b-pin"));

    assertThat(devices).extracting(DeviceProperties::pin).containsExactly("5678", null);
    assertThat(devices)
        .extracting(DeviceProperties::pinFile)
        .containsExactly(null, Path.of("/etc/b-pin"));
  }

  @Test
  void theEnvironmentNamesDevices() {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("KEYWELL_HSM_MODULE", "/lib/p11.so");
    environment.put("KEYWELL_HSM_DEVICES_0_NAME", "east");
    environment.put("KEYWELL_HSM_DEVICES_1_NAME", "west");
    environment.put("KEYWELL_HSM_DEVICES_1_TOKENLABEL", "other");
    environment.put("KEYWELL_HSM_DEVICES_1_PINFILE", "/etc/pin");
    environment.put("KEYWELL_HSM_DEVICES_1_ROLE", "generate");
    environment.put("KEYWELL_HSM_DEVICES_1_MAXSESSIONS", "12");

    List<DeviceProperties> devices =
        KeywellPropertiesTest.bindEnvironment(environment).hsm().devices();

    assertThat(devices).extracting(DeviceProperties::name).containsExactly("east", "west");
    assertThat(devices.getLast().tokenLabel()).isEqualTo("other");
    assertThat(devices.getLast().pinFile()).isEqualTo(Path.of("/etc/pin"));
    assertThat(devices.getLast().role()).isEqualTo(DeviceRole.GENERATE);
    assertThat(devices.getLast().maxSessions()).isEqualTo(12);
    assertThatCode(() -> EnvironmentCheck.refuseUnknown(environment.keySet()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "KEYWELL_HSM_DEVICES",
        "KEYWELL_HSM_DEVICES_NAME",
        "KEYWELL_HSM_DEVICES_0",
        "KEYWELL_HSM_DEVICES_0_TOKEN",
        "KEYWELL_HSM_DEVICES_0_HANGLIMIT",
        "KEYWELL_HSM_LISTED_0_NAME"
      })
  void aVariableThatNoDeviceReadsStopsTheStart(String variable) {
    assertThatThrownBy(() -> EnvironmentCheck.refuseUnknown(Set.of(variable)))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageEndingWith(": " + variable);
  }

  @Test
  void aDeviceHasAName() {
    assertThat(refusal("keywell.hsm.devices[2].token-label=third"))
        .isEqualTo("keywell.hsm.devices[2].name is not set");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "a b", "a_b", "aaaaaaaaaaaaaaaaaaaaa"})
  void aDevicesNameIsPlain(String name) {
    assertThat(refusal("keywell.hsm.devices[0].name=" + name))
        .isEqualTo("keywell.hsm.devices: a name has 1 to 20 of a-z 0-9 -: '" + name + "'");
  }

  @Test
  void noTwoDevicesHaveOneName() {
    assertThat(refusal("keywell.hsm.devices[1].name=a"))
        .isEqualTo("keywell.hsm.devices: two devices have the name a");
  }

  @Test
  void noTwoDevicesAreOneToken() {
    assertThat(refusal("keywell.hsm.devices[1].token-label=keywell"))
        .isEqualTo(
            "keywell.hsm.devices: devices a and b are the same token: module /lib/p11.so,"
                + " token-label keywell");
  }

  @Test
  void aLinkToAModuleIsThatModule(@TempDir Path directory) throws IOException {
    Path module = Files.createFile(directory.resolve("p11.so"));
    Path link = Files.createSymbolicLink(directory.resolve("link.so"), module);

    assertThat(
            refusal(
                "keywell.hsm.module=" + module,
                "keywell.hsm.devices[1].module=" + link,
                "keywell.hsm.devices[1].token-label=keywell"))
        .startsWith("keywell.hsm.devices: devices a and b are the same token: module " + link);
  }

  @ParameterizedTest
  @CsvSource({
    "weight, 0, 1-100",
    "weight, 101, 1-100",
    "max-sessions, 3, 4-1000",
    "max-sessions, 1001, 4-1000",
    "unwrap-sessions, 0, 1-64",
    "unwrap-sessions, 65, 1-64"
  })
  void aValueOutOfRangeNamesItsDevice(String name, String value, String expected) {
    assertThat(refusal("keywell.hsm.devices[1]." + name + "=" + value))
        .isEqualTo(
            "keywell.hsm.devices: device b: %s is %s, expected %s"
                .formatted(name, value, expected));
  }

  @Test
  void theNumberOfDevicesHasABound() {
    String[] names =
        IntStream.range(0, 17)
            .mapToObj(i -> "keywell.hsm.devices[" + i + "].name=d" + i)
            .toArray(String[]::new);

    assertThat(KeywellPropertiesTest.refusal(names))
        .isEqualTo("keywell.hsm.devices: 17 devices, expected 16 at the most");
  }

  @Test
  void aDeviceSigns() {
    assertThat(
            refusal("keywell.hsm.devices[0].role=generate", "keywell.hsm.devices[1].role=generate"))
        .isEqualTo(
            "keywell.hsm.devices: none has the role sign or both, so that nothing could be signed");
  }

  @Test
  void aKeyForARequestIsMadeWhereItSigns() {
    String[] roles = {"keywell.hsm.devices[0].role=generate", "keywell.hsm.devices[1].role=sign"};
    bind(with(with(TWO, roles), "keywell.pool.when-empty=refuse"));

    assertThat(refusal(roles))
        .isEqualTo(
            "keywell.pool.when-empty is generate, which needs a device that generates and signs:"
                + " none has the role both");
    assertThat(refusal(with(roles, "keywell.pool.mode=on-the-fly")))
        .startsWith("keywell.pool.mode is on-the-fly, which needs a device");
  }

  /** A thread that signs uses no session of a device that only generates, and so on. */
  @Test
  void eachDeviceHasSessionsForItsThreads() {
    String[] threads = {
      "keywell.sign.handler-threads=5",
      "keywell.pool.generator-threads=2",
      "keywell.pool.when-empty=refuse"
    };
    bind(with(with(TWO, threads), "keywell.hsm.devices[1].max-sessions=8"));
    bind(
        with(
            with(TWO, threads),
            "keywell.hsm.devices[1].max-sessions=4",
            "keywell.hsm.devices[1].role=generate"));

    assertThat(refusal(with(threads, "keywell.hsm.devices[1].max-sessions=7")))
        .isEqualTo(
            "keywell.hsm.devices: device b: max-sessions is 7; handler-threads and"
                + " generator-threads need 8");
    assertThat(
            refusal(
                with(
                    threads,
                    "keywell.hsm.devices[1].max-sessions=5",
                    "keywell.hsm.devices[1].role=sign")))
        .endsWith("need 6");
  }

  @Test
  void eachGeneratorThreadOfEachDeviceHasAConnection() {
    bind(with(TWO, "keywell.pool.generator-threads=3"));
    bind(with(TWO, "keywell.pool.generator-threads=6", "keywell.hsm.devices[1].role=sign"));

    assertThat(refusal("keywell.pool.generator-threads=4"))
        .isEqualTo(
            "keywell.database.max-connections is 10, of which 7 are not for records;"
                + " generator-threads of each of the 2 devices that generate and the instance's"
                + " lock need 9");
  }

  @Test
  void secretsAreNotPrinted() {
    HsmProperties hsm =
        KeywellPropertiesTest.bind(with(TWO, "keywell.hsm.devices[0].pin=123456")).hsm();

    assertThat(hsm.devices().getFirst().pin()).isEqualTo("123456");
    assertThat(hsm.devices() + hsm.listed().toString() + hsm).doesNotContain("123456");
  }
}

package org.keywell.signing.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/** The tokens of several devices, of two modules, made ready in one go. */
@Tag("softhsm")
final class TokenPreparationTest {

  private static final String LABEL = "shared";
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final FaultyModule module;
  private final SoftHsmToken east = SoftHsmToken.create();
  private final SoftHsmToken west;

  TokenPreparationTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    west = SoftHsmToken.create(module.path());
  }

  @AfterEach
  void endFaults() {
    module.close();
  }

  private List<TokenAccess> tokens(String labelOfWest) {
    return TokenAccess.all(
        BoundSettings.of(
                "keywell.hsm.wrapping-key-label=" + LABEL,
                "keywell.hsm.devices[0].name=east",
                "keywell.hsm.devices[0].module=" + east.config().module(),
                "keywell.hsm.devices[0].token-label=" + east.config().tokenLabel(),
                "keywell.hsm.devices[0].pin=" + new String(east.pinCharacters()),
                "keywell.hsm.devices[1].name=west",
                "keywell.hsm.devices[1].module=" + west.config().module(),
                "keywell.hsm.devices[1].token-label=" + west.config().tokenLabel(),
                "keywell.hsm.devices[1].pin=" + new String(west.pinCharacters()),
                "keywell.hsm.devices[1].wrapping-key-label=" + labelOfWest)
            .hsm());
  }

  private List<String> ensure() {
    return new TokenPreparation(tokens(LABEL)).ensure();
  }

  private static Optional<String> wrappingKey(SoftHsmToken token) {
    try (Pin pin = token.pin()) {
      return TokenBootstrap.findWrappingKey(token.config().withWrappingKeyLabel(LABEL), pin);
    }
  }

  @Test
  void devicesOfOneLabelGetOneKey() {
    List<String> first = ensure();
    String id = wrappingKey(east).orElseThrow();

    assertThat(first).containsExactly("created: wrapping key " + id + ", in east and west");
    assertThat(wrappingKey(west)).contains(id);
    assertThat(ensure())
        .containsExactly(
            "exists:  wrapping key " + id + ", in east",
            "exists:  wrapping key " + id + ", in west");
    assertMoves(
        east.open(east.config().withWrappingKeyLabel(LABEL)),
        west.open(west.config().withWrappingKeyLabel(LABEL)));
  }

  private static void assertMoves(Pkcs11Hsm from, Pkcs11Hsm to) {
    try (from;
        to) {
      LiveKeyPair pair = from.generateExtractable(KeySpec.EC_P256);
      WrappedKey wrapped = from.wrap(pair);
      assertThat(from.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
      KeyHandle key = to.unwrap(wrapped);
      assertThat(to.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]))
          .isNotEmpty();
      assertThat(to.destroy(key)).isEqualTo(Destruction.DONE);
    }
  }

  @Test
  void devicesOfDifferentLabelsGetKeysOfTheirOwn() {
    List<String> report = new TokenPreparation(tokens("other")).ensure();

    assertThat(report).hasSize(2);
    assertThat(report.getFirst())
        .startsWith("created: wrapping key " + LABEL + ":")
        .endsWith(", in east");
    assertThat(report.getLast()).startsWith("created: wrapping key other:").endsWith(", in west");
  }

  /** Two keys under one label would be two pools, and nobody would notice. */
  @Test
  void aDeviceThatLacksTheOthersKeyIsToldAbout() {
    var _ = east.addWrappingKey(LABEL);

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(this::ensure)
        .withMessageStartingWith("of the devices with the wrapping key 'shared', west has none")
        .withMessageContaining("./keywell hsm enrol");
    assertThat(wrappingKey(west)).isEmpty();
  }

  @Test
  void devicesWithKeysOfTheirOwnKeepThem() {
    var _ = east.addWrappingKey(LABEL);
    var _ = west.addWrappingKey(LABEL);

    assertThat(ensure()).hasSize(2).allMatch(line -> line.startsWith("exists: "));
    assertThat(wrappingKey(east)).isNotEqualTo(wrappingKey(west));
  }

  @Test
  void whereOneDeviceCannotHaveTheKeyNoneDoes() {
    // The first unwraps in the proof of the transport pair, the second the key itself.
    module.inject("C_UnwrapKey", Fault.returning(CKR_DEVICE_ERROR).after(1));

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(this::ensure)
        .withMessageStartingWith("device west: ");

    assertThat(module.faults("C_UnwrapKey")).isPositive();
    module.clear("C_UnwrapKey");
    assertThat(wrappingKey(east)).isEmpty();
    assertThat(wrappingKey(west)).isEmpty();
    assertThat(ensure()).singleElement().asString().startsWith("created: ");
  }
}

package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("softhsm")
class CaBootstrapTest {
  private final CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
  private final CaBootstrap bootstrap = TestSettings.bootstrap(settings);

  private static CaToken token() {
    return CaToken.open(SoftHsm.SHARED.address(), SoftHsm.SHARED.pin());
  }

  @Test
  void makesWhatIsMissingAndNothingTwice() {
    BootstrapReport first = bootstrap.ensure();
    assertThat(first.rootCreated()).isTrue();
    assertThat(first.issuingCreated()).isTrue();
    BootstrapReport second = TestSettings.bootstrap(settings).ensure();
    assertThat(second).isEqualTo(new BootstrapReport(false, false, first.chain()));
    assertThat(token().issuingKey(settings.issuingLabel(), InstantSource.system()).chain())
        .isEqualTo(first.chain());
  }

  @ParameterizedTest
  @EnumSource(names = {"EC_P256", "RSA_3072"})
  void keysNeverLeaveTheTokenAndOnlySign(CaKeySpec spec) {
    CaSettings ofSpec = TestSettings.unique(spec);
    TestSettings.bootstrap(ofSpec).ensure();
    TokenObjects objects = new TokenObjects(SoftHsm.SHARED.address());
    for (String label : List.of(ofSpec.rootLabel(), ofSpec.issuingLabel())) {
      long key = objects.privateKey(label);
      assertThat(objects.flag(key, TokenObjects.CKA_TOKEN)).isTrue();
      assertThat(objects.flag(key, TokenObjects.CKA_PRIVATE)).isTrue();
      assertThat(objects.flag(key, TokenObjects.CKA_SENSITIVE)).isTrue();
      assertThat(objects.flag(key, TokenObjects.CKA_EXTRACTABLE)).isFalse();
      assertThat(objects.flag(key, TokenObjects.CKA_SIGN)).isTrue();
      assertThat(objects.flag(key, TokenObjects.CKA_DECRYPT)).isFalse();
      assertThat(objects.flag(key, TokenObjects.CKA_UNWRAP)).isFalse();
      assertThat(objects.flag(key, TokenObjects.CKA_SIGN_RECOVER)).isFalse();
    }
    var key =
        token()
            .issuingKey(ofSpec.issuingLabel(), InstantSource.system())
            .accesses()
            .getFirst()
            .privateKey();
    assertThat(key.getEncoded()).isNull();
  }

  @Test
  void aTokenWithoutTheKeySaysToRunTheBootstrap() {
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> token().issuingKey("nobody", InstantSource.system()))
        .withMessageContaining("bootstrap")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.NOT_BOOTSTRAPPED));
  }

  @Test
  void anExpiredChainIsRefused() {
    bootstrap.ensure();
    InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofDays(1826));
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> token().issuingKey(settings.issuingLabel(), later))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.CHAIN_REFUSED));
  }

  @Test
  void aWrongPinIsRefusedAndNotShown() {
    String wrong = "wrong-" + System.nanoTime();
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> CaToken.open(SoftHsm.NEVER_LOGGED_IN.address(), wrong.toCharArray()))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.PIN_REFUSED))
        .satisfies(e -> {
          for (Throwable t = e; t != null; t = t.getCause()) {
            assertThat(String.valueOf(t.getMessage())).doesNotContain(wrong);
          }
        });
  }

  @Test
  void aMissingModuleOrSlotIsUnavailable() {
    Path module = SoftHsm.SHARED.address().module();
    for (TokenAddress address :
        List.of(
            new TokenAddress(module, 77, null),
            new TokenAddress(Path.of("/nowhere/module.so"), 0, null))) {
      assertThatExceptionOfType(CaTokenException.class)
          .isThrownBy(() -> CaToken.open(address, SoftHsm.SHARED.pin()))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.UNAVAILABLE));
    }
  }

  @Test
  void sessionKeysOfTheSameProcessAreNotTakenForTheCas() {
    bootstrap.ensure();
    Provider provider = Providers.generating(SoftHsm.SHARED.address(), settings.issuingLabel());
    List<Object> alive = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      alive.add(CaKeySpec.EC_P256.generate(provider));
    }
    assertThat(token().issuingKey(settings.issuingLabel(), InstantSource.system()).chain())
        .hasSize(2);
    assertThat(alive).hasSize(500);
  }

  @Test
  void remainsOfAnInterruptedBootstrapAreReported() {
    keyWithoutCertificate(settings.rootLabel());
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(bootstrap::ensure)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.FAILED));
  }

  private static void keyWithoutCertificate(String label) {
    String id = HexFormat.of().formatHex(label.getBytes(StandardCharsets.US_ASCII));
    TokenAddress address = SoftHsm.SHARED.address();
    Provider provider =
        Security.getProvider("SunPKCS11")
            .configure(
                """
                --name = remains
                library = "%s"
                slot = %d
                attributes(generate, CKO_PRIVATE_KEY, *) = {
                  CKA_TOKEN = true
                  CKA_ID = 0h%s
                }
                """
                    .formatted(address.module(), address.slotId(), id));
    CaKeySpec.EC_P256.generate(provider);
  }
}

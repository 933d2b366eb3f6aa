package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.security.Provider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.issuance.IssuingKey;

@Tag("softhsm")
class CaBootstrapTest {
  private final CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
  private final CaBootstrap bootstrap = TestSettings.bootstrap(settings);

  private static CaToken token() {
    return new CaToken(SoftHsm.SHARED.keys());
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
    TokenObjects objects = SoftHsm.SHARED.objects();
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
    var key = token().issuingKey(ofSpec.issuingLabel(), InstantSource.system()).privateKey();
    assertThat(key.getFormat()).isNull();
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
  void sessionKeysOfTheSameProcessAreNotTakenForTheCas() {
    bootstrap.ensure();
    Provider provider = SoftHsm.SHARED.keys();
    List<Object> alive = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      alive.add(CaKeySpec.EC_P256.generate(provider));
    }
    assertThat(token().issuingKey(settings.issuingLabel(), InstantSource.system()).chain())
        .hasSize(2);
    assertThat(alive).hasSize(500);
  }

  @Test
  void remainsOfAnInterruptedBootstrapAreInNobodysWay() {
    HalfMadeKey.in(SoftHsm.SHARED, settings.rootLabel());
    HalfMadeKey.in(SoftHsm.SHARED, settings.issuingLabel());

    BootstrapReport made = bootstrap.ensure();

    assertThat(made.rootCreated()).isTrue();
    assertThat(made.issuingCreated()).isTrue();
    IssuingKey key = token().issuingKey(settings.issuingLabel(), InstantSource.system());
    assertThat(key.chain()).isEqualTo(made.chain());
    assertThat(
            new CaKey(key.privateKey(), key.certificate().getPublicKey(), key.provider()).signer())
        .isNotNull();
    assertThat(TestSettings.bootstrap(settings).ensure().issuingCreated()).isFalse();
  }
}

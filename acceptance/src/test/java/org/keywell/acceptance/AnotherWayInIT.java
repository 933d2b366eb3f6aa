package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.SubjectParts;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.act.ActService;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.lifecycle.CoreConfiguration;
import org.keywell.signing.record.RecordListener;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.request.SigningOrder;
import org.keywell.signing.revocation.OcspListener;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignListener;
import org.keywell.signing.sign.SignService;
import org.keywell.signing.stamp.StampListener;
import org.keywell.testkit.Await;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The core alone signs: another way in than HTTP is wired to it, and hears its own words. */
final class AnotherWayInIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = 4;

  @Configuration(proxyBeanMethods = false)
  @Import(CoreConfiguration.class)
  static class Core {

    @Bean
    SignListener signListener() {
      return SignListener.NONE;
    }

    @Bean
    StampListener stampListener() {
      return _ -> {};
    }

    @Bean
    OcspListener ocspListener() {
      return _ -> {};
    }

    @Bean
    RecordListener recordListener() {
      return new RecordListener() {};
    }

    @Bean
    PoolListener poolListener() {
      return new PoolListener() {};
    }
  }

  @Test
  void signsWithoutHttp(@TempDir Path home) throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, KEYS);
      try (ConfigurableApplicationContext core = start(site)) {
        assertThat(Stream.of(core.getBeanDefinitionNames()).map(core::getType))
            .extracting(Class::getName)
            .noneMatch(name -> name.matches(".*\\.(problem|http|web|servlet|tomcat)\\..*"));
        RequestIntake intake = core.getBean(RequestIntake.class);
        SignService service = core.getBean(SignService.class);
        byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];
        SignRequest request =
            intake.accept(
                order(new SigningForm.Bare(), List.of(digest), null), Caller.onLoopback());

        SignRecord record = service.sign(request, times());
        assertVerifies(record, digest);
        assertThat(signature(service.sign(request, times()))).isEqualTo(signature(record));
        assertThat(signature(service.find(request.requestId(), request.caller())))
            .isEqualTo(signature(record));

        ActService acts = core.getBean(ActService.class);
        SignRequest act =
            intake.accept(
                order(new SigningForm.InTwoCalls(1, Duration.ofSeconds(30)), List.of(), null),
                Caller.onLoopback());
        assertThat(acts.open(act, times()).outcome()).isInstanceOf(SignOutcome.Opened.class);
        assertVerifies(
            acts.sign(act.requestId(), (_, _) -> List.of(digest), act.caller(), times()), digest);

        assertThat(refusal(() -> service.find(UUID.randomUUID(), Caller.onLoopback())))
            .isEqualTo(Reason.REQUEST_UNKNOWN);
        SigningOrder unknown = order(new SigningForm.Bare(), List.of(digest), "gold");
        assertThat(refusal(() -> intake.accept(unknown, Caller.onLoopback())))
            .isEqualTo(Reason.UNKNOWN_PROFILE);
      }
      assertThat(site.ledger().balances()).allMatch(balance -> balance.difference() == 0);
    }
  }

  private static ConfigurableApplicationContext start(Site site) throws InterruptedException {
    Map<String, String> settings = site.settings(Settings.pool(SPEC, KEYS));
    ConfigurableApplicationContext core =
        new SpringApplicationBuilder(Core.class)
            .web(WebApplicationType.NONE)
            .registerShutdownHook(false)
            .run(
                settings.entrySet().stream()
                    .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                    .toArray(String[]::new));
    KeyPools pools = core.getBean(KeyPools.class);
    Await.until("the keys are loaded", () -> pools.depth(SPEC).loaded() == KEYS);
    return core;
  }

  private static SigningOrder order(
      SigningForm form, List<byte[]> digests, @Nullable String profile) {
    return new SigningOrder(
        null,
        form,
        DigestAlgorithm.SHA_256,
        digests,
        SPEC,
        null,
        profile,
        new SubjectParts().put(SubjectAttribute.COMMON_NAME, "Astrid Exempel"),
        null,
        null,
        null);
  }

  private static RequestTimes times() {
    return new RequestTimes(InstantSource.system(), System::nanoTime);
  }

  private static Reason refusal(Runnable call) {
    return catchThrowableOfType(RefusedException.class, call::run).refusal().reason();
  }

  private static byte[] signature(SignRecord record) {
    return ((SignOutcome.Signed) Objects.requireNonNull(record.outcome())).signatures().getFirst();
  }

  private static void assertVerifies(SignRecord record, byte[] digest) throws Exception {
    SignOutcome.Signed signed = (SignOutcome.Signed) Objects.requireNonNull(record.outcome());
    Signature verifier = Signature.getInstance("NONEwithECDSA");
    verifier.initVerify(
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(signed.issued().certificate()))
            .getPublicKey());
    verifier.update(digest);
    assertThat(verifier.verify(signature(record))).isTrue();
  }
}

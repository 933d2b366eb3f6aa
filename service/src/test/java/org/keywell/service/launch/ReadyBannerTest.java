package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.service.kmip.KmipDoor;
import org.keywell.service.xks.XksDoor;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.hsm.HsmTimes;
import org.keywell.signing.start.EndSignal;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command that the start suggests is for a kind of key that has a pool. */
@ExtendWith(OutputCaptureExtension.class)
final class ReadyBannerTest {

  private static final Pattern BODY = Pattern.compile("Try: curl .* -d '(.*)'");

  @Test
  void asksForTheDefaultKindWithoutNamingIt(CapturedOutput output) {
    assertThat(example(output, Map.of()).has("keySpec")).isFalse();
    assertThat(
            example(
                    output,
                    Map.of(
                        "keywell.pool.specs.RSA-2048.max-stored", "5",
                        "keywell.pool.specs.EC-P256.max-stored", "5"))
                .has("keySpec"))
        .isFalse();
  }

  @Test
  void namesAKindThatHasAPoolWhereTheDefaultHasNone(CapturedOutput output) {
    assertThat(
            example(output, Map.of("keywell.pool.specs.ECP256.max-stored", "5"))
                .path("keySpec")
                .asString())
        .isEqualTo("EC-P256");
  }

  private static JsonNode example(CapturedOutput output, Map<String, String> settings) {
    KeywellProperties properties =
        new Binder(new MapConfigurationPropertySource(settings))
            .bindOrCreate("keywell", KeywellProperties.class);
    ReadyBanner banner =
        new ReadyBanner(
            new StandardEnvironment(),
            new HsmTimes(Optional.empty()),
            properties,
            () -> {
              throw new AssertionError("nobody asks for the database");
            },
            new StaticListableBeanFactory().getBeanProvider(EndSignal.class),
            new StaticListableBeanFactory().getBeanProvider(KmipDoor.class),
            new StaticListableBeanFactory().getBeanProvider(XksDoor.class));
    try (Listening context = new Listening()) {
      banner.onReady(
          new ApplicationReadyEvent(
              new SpringApplication(), new String[0], context, Duration.ofSeconds(1)));
    }
    Matcher body = BODY.matcher(output.getOut());
    assertThat(body.find()).as(output.getOut()).isTrue();
    return JsonMapper.shared().readTree(body.group(1));
  }

  private static final class Listening extends ServletWebServerApplicationContext {

    @Override
    public WebServer getWebServer() {
      return new WebServer() {
        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public int getPort() {
          return 8420;
        }
      };
    }
  }
}

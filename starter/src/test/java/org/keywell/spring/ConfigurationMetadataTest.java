package org.keywell.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an editor knows of the settings while somebody types them. */
final class ConfigurationMetadataTest {

  @Test
  void everySettingIsExplained() throws Exception {
    Map<String, String> settings = new TreeMap<>();
    try (InputStream metadata =
        KeywellClientProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      for (JsonNode property : JsonMapper.shared().readTree(metadata).path("properties")) {
        settings.put(property.path("name").asString(), property.path("description").asString(""));
      }
    }
    assertThat(settings)
        .containsOnlyKeys(
            "keywell.client.deadline",
            "keywell.client.ssl.bundle",
            "keywell.client.timestamp.timeout",
            "keywell.client.timestamp.uri",
            "keywell.client.token-file",
            "keywell.client.uri",
            "management.health.keywell.enabled");
    assertThat(settings).allSatisfy((name, text) -> assertThat(text).endsWith("."));
  }
}

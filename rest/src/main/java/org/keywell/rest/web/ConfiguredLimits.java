package org.keywell.rest.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.keywell.settings.KeywellProperties;

/** Adds the configured limits to the OpenAPI document. */
final class ConfiguredLimits {

  private final KeywellProperties properties;

  ConfiguredLimits(KeywellProperties properties) {
    this.properties = properties;
  }

  void addTo(OpenAPI document) {
    for (String request : List.of("SignRequest", "ActRequest")) {
      Schema<?> deadline = property(document, request, "deadlineMillis");
      deadline.setMaximum(BigDecimal.valueOf(properties.sign().maxDeadline().toMillis()));
      deadline.setDefault(properties.sign().defaultDeadline().toMillis());
    }
    property(document, "IdentityProof", "value")
        .setMaxLength(Math.toIntExact(properties.identity().maxTicket().toBytes()));
    addActs(document);
    for (PathItem item : document.getPaths().values()) {
      if (item.getPost() != null) {
        item.getPost()
            .getRequestBody()
            .description(
                "UTF-8, at most %d bytes".formatted(properties.sign().maxBody().toBytes()));
      }
    }
  }

  private void addActs(OpenAPI document) {
    int digests = properties.sign().maxDigests();
    for (String request : List.of("SignRequest", "ActDigests")) {
      Schema<?> array = property(document, request, "digests");
      array.setMinItems(1);
      array.setMaxItems(digests);
    }
    property(document, "ActRequest", "digestCount").setMaximum(BigDecimal.valueOf(digests));
    Schema<?> timeToLive = property(document, "ActRequest", "timeToLiveSeconds");
    timeToLive.setMaximum(BigDecimal.valueOf(properties.acts().maxTimeToLive().toSeconds()));
    timeToLive.setDefault(Math.toIntExact(properties.acts().defaultTimeToLive().toSeconds()));
  }

  private static Schema<?> property(OpenAPI document, String schema, String name) {
    Schema<?> found = Objects.requireNonNull(document.getComponents().getSchemas().get(schema));
    return Objects.requireNonNull(found.getProperties().get(name), name);
  }
}

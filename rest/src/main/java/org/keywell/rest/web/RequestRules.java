package org.keywell.rest.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** Adds rules between fields, or too long for an annotation, to the OpenAPI document. */
final class RequestRules {

  private static final String COUNTRY = "(" + String.join("|", Locale.getISOCountries()) + ")";

  /** In a pattern, without a colon after it: with one it is a national scheme (EN 319 412-1). */
  private static final Pattern TWO_CAPITALS = Pattern.compile("\\[A-Z]\\{2}(?!:)");

  private RequestRules() {}

  static void addTo(OpenAPI document) {
    // With its type, without which Swagger UI takes all values for excluded.
    schema(document, "SignRequest")
        .setNot(new ObjectSchema().required(List.of("digest", "digests")));
    // As in SubjectRules: the ISO 3166-1 countries that this Java knows.
    Schema<?> signer = schema(document, "Signer");
    for (String property : List.of("serialNumber", "country")) {
      Schema<?> text = Objects.requireNonNull(signer.getProperties().get(property));
      text.setPattern(TWO_CAPITALS.matcher(text.getPattern()).replaceAll(COUNTRY));
    }
  }

  private static Schema<?> schema(OpenAPI document, String name) {
    return Objects.requireNonNull(document.getComponents().getSchemas().get(name), name);
  }
}

package org.keywell.service.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** What holds between fields, or is too long for an annotation, for the OpenAPI document to say. */
final class RequestRules {

  private static final String COUNTRY = "(" + String.join("|", Locale.getISOCountries()) + ")";

  /** In a pattern, where no colon follows: with one it is a national scheme (EN 319 412-1). */
  private static final Pattern TWO_CAPITALS = Pattern.compile("\\[A-Z]\\{2}(?!:)");

  private RequestRules() {}

  static void addTo(OpenAPI document) {
    schema(document, "SignRequest").setNot(new Schema<>().required(List.of("digest", "digests")));
    // As SubjectRules has it: the countries are those of ISO 3166-1 that this Java knows.
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

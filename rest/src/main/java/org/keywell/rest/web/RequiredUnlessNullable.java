package org.keywell.rest.web;

import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Marks record components that are not {@code @Nullable} as required: the compiler enforces it, and
 * generated clients then give them a type that is not optional either.
 */
final class RequiredUnlessNullable implements ModelConverter {

  @Override
  public @Nullable Schema<?> resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    if (!chain.hasNext()) {
      return null;
    }
    Schema<?> resolved = chain.next().resolve(type, context, chain);
    JavaType java = Json.mapper().constructType(type.getType());
    if (resolved != null && java != null && java.getRawClass().isRecord()) {
      require(defined(resolved, context), java.getRawClass());
    }
    return resolved;
  }

  /** Returns the target of a reference. */
  private static Schema<?> defined(Schema<?> resolved, ModelConverterContext context) {
    String reference = resolved.get$ref();
    return reference == null
        ? resolved
        : Objects.requireNonNullElse(
            context.getDefinedModels().get(reference.substring(reference.lastIndexOf('/') + 1)),
            resolved);
  }

  private static void require(Schema<?> schema, Class<?> type) {
    if (schema.getProperties() == null) {
      return;
    }
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      List<String> required = Objects.requireNonNullElse(schema.getRequired(), List.of());
      if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)
          && schema.getProperties().containsKey(name)
          && !required.contains(name)) {
        schema.addRequiredItem(name);
      }
    }
  }
}

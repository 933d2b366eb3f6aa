package org.keywell.rest.web;

import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.util.List;
import java.util.stream.Stream;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.settings.KeywellProperties;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The OpenAPI document: what the controllers cannot express. */
@Configuration(proxyBeanMethods = false)
public class OpenApiConfiguration {

  private static final String PROBLEM = "Problem";
  private static final int FIRST_PROBLEM = 400;
  private static final String TOKEN = "localToken";

  @Bean
  OpenAPI openApi() {
    return new OpenAPI()
        .info(
            new Info()
                .title("Keywell")
                .version("1")
                .description(
                    "Signs each document's digest with a fresh key generated inside an HSM. Where"
                        + " the service asks for client certificates, each belongs to a caller in"
                        + " keywell.security.callers-file.")
                // An SPDX identifier: generators reject an OpenAPI 3.1 document without it.
                .license(new License().name("Apache-2.0").identifier("Apache-2.0")));
  }

  @Bean
  ModelConverter requiredUnlessNullable() {
    return new RequiredUnlessNullable();
  }

  @Bean
  OpenApiCustomizer uses() {
    return document -> {
      RequestExamples.addTo(document);
      OperationLinks.addTo(document);
    };
  }

  /**
   * Adds problem documents to each operation, with their only possible statuses, how callers are
   * identified, and which role each operation requires.
   */
  @Bean
  OpenApiCustomizer operations(EndpointRoles endpoints) {
    return document -> {
      OtherFormats.addTo(document);
      document.getComponents().addSchemas(PROBLEM, problemSchema());
      document
          .getPaths()
          .forEach((path, item) ->
              item.readOperationsMap()
                  .forEach((method, operation) -> addProblems(method + " " + path, operation)));
      document
          .getComponents()
          .addSecuritySchemes(
              TOKEN,
              new SecurityScheme()
                  .type(SecurityScheme.Type.HTTP)
                  .scheme("bearer")
                  .description("on this machine, where keywell.security.local-token-file is set"));
      document
          .getPaths()
          .forEach((path, item) ->
              item.readOperationsMap()
                  .forEach((method, operation) ->
                      operation
                          .description(roles(endpoints, method.name(), path))
                          .security(anyOf())));
    };
  }

  /**
   * Any of these; the empty one is for callers with a certificate, which TLS has identified, and
   * for a service open to its whole machine. Few generators know {@code mutualTLS}.
   */
  private static List<SecurityRequirement> anyOf() {
    return List.of(new SecurityRequirement().addList(TOKEN), new SecurityRequirement());
  }

  private static String roles(EndpointRoles endpoints, String method, String path) {
    return endpoints.endpoints().stream()
        .filter(endpoint -> endpoint.method().equals(method))
        .filter(endpoint -> path(endpoint).equals(path))
        .map(endpoint -> "For callers with the role " + endpoint.rolesAsText() + ".")
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(method + " " + path + " has no role"));
  }

  /** As the document writes it. */
  private static String path(EndpointRoles.Endpoint endpoint) {
    return endpoint.path().getPatternString().replace("**", "{path}");
  }

  @Bean
  OpenApiCustomizer limits(KeywellProperties properties) {
    return new ConfiguredLimits(properties)::addTo;
  }

  @Bean
  OpenApiCustomizer rules() {
    return RequestRules::addTo;
  }

  private static void addProblems(String name, Operation operation) {
    Content document =
        new Content()
            .addMediaType(
                "application/problem+json",
                new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + PROBLEM)));
    OperationProblems.of(name)
        .forEach((status, types) -> {
          // Some operations have answers of their own with a problem's status.
          ApiResponse own = operation.getResponses().get(status.toString());
          if (own == null || own.getContent() == null || status < FIRST_PROBLEM) {
            operation
                .getResponses()
                .addApiResponse(
                    status.toString(), new ApiResponse().description(types).content(document));
          } else {
            document.forEach(own.getContent()::addMediaType);
          }
        });
  }

  /** Lists types as extensible: today's clients must be able to read future ones. */
  private static Schema<?> problemSchema() {
    List<String> types =
        Stream.of(ProblemType.values()).map(type -> type.uri().toString()).toList();
    StringSchema type = new StringSchema();
    type.description("stable: branch on it; handle an unknown type by its status");
    type.addExtension("x-extensible-enum", types);
    Schema<?> problem =
        new ObjectSchema()
            .addProperty("type", type)
            .addProperty("title", new StringSchema())
            .addProperty("status", new IntegerSchema())
            .addProperty("detail", new StringSchema().description("names the field or the limit"))
            .addProperty("instance", new StringSchema())
            .addProperty(
                "heldBy",
                new StringSchema()
                    .description("act-elsewhere: the instance that holds the act's key"));
    problem.setRequired(List.of("type", "title", "status", "detail"));
    return problem;
  }
}

package org.keywell.rest.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies that a service with default settings signs as they are, to try operations from the
 * document. None of those contains an id: a second try gets its own signature. A revocation has to
 * name one of these.
 */
final class RequestExamples {

  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

  private record Body(String path, String name, String summary, String json) {}

  private static final List<Body> BODIES =
      List.of(
          new Body(
              "/sign",
              "one-digest",
              "One digest, that of the text 'hello'",
              """
              {"digestAlgorithm": "SHA-256",
               "digest": "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
               "signer": {"commonName": "Astrid Exempel", "country": "SE"}}\
              """),
          new Body(
              "/sign",
              "two-digests",
              "Two digests, signed with one key under one certificate",
              """
              {"digestAlgorithm": "SHA-256",
               "digests": ["LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
                           "SG6kYiTRu0+2gPNPfJrZao8k7Ii+c+qOWmxlJg6cuKc="],
               "signer": {"commonName": "Astrid Exempel", "country": "SE"}}\
              """),
          new Body(
              "/sign",
              "container",
              "One digest; its signature is returned in a CMS with the certificate",
              """
              {"digestAlgorithm": "SHA-256",
               "digest": "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
               "container": "CAdES-BASELINE-B",
               "signer": {"commonName": "Astrid Exempel", "country": "SE"}}\
              """),
          new Body(
              "/acts",
              "two-digests",
              "A certificate for two digests, to be sent within a minute",
              """
              {"digestAlgorithm": "SHA-256", "digestCount": 2, "timeToLiveSeconds": 60,
               "signer": {"commonName": "Astrid Exempel", "country": "SE"}}\
              """),
          new Body(
              "/acts/{actId}/sign",
              "two-digests",
              "Both digests of an act opened for two",
              """
              {"digests": ["LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
                           "SG6kYiTRu0+2gPNPfJrZao8k7Ii+c+qOWmxlJg6cuKc="]}\
              """),
          new Body(
              "/ca/revocations",
              "by-request",
              "The certificate of a request, which the certificate's profile lets be revoked",
              """
              {"requestId": "0b2ac6b4-4b0c-4d31-9f4e-5b0e3f6d2a11", "reason": "keyCompromise"}\
              """));

  private RequestExamples() {}

  /** Adds each to its operation. */
  static void addTo(OpenAPI document) {
    for (Body body : BODIES) {
      PathItem item = Objects.requireNonNull(document.getPaths().get(body.path()));
      MediaType json =
          Objects.requireNonNull(
              item.getPost().getRequestBody().getContent().get("application/json"));
      Map<String, Object> value = JsonMapper.shared().readValue(body.json(), OBJECT);
      json.addExamples(body.name(), new Example().summary(body.summary()).value(value));
    }
  }
}

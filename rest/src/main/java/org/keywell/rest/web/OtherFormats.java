package org.keywell.rest.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Operations whose bodies others define: time stamps (RFC 3161), OCSP (RFC 6960), the log and its
 * witnesses (C2SP). Their controllers take and return octets, which says nothing of the format.
 */
final class OtherFormats {

  /** Of all of them; no example of such a body can be tried from a page. */
  static final String TAG = "other-formats";

  private static final String TEXT = "text/plain;charset=UTF-8";
  private static final Pattern VARIABLE = Pattern.compile("\\{\\*?(\\w+)}");

  /**
   * One operation.
   *
   * @param body its media type; empty: it has none
   * @param answers their media types by status
   */
  private record Defined(
      PathItem.HttpMethod method,
      String path,
      String id,
      String summary,
      String body,
      Map<String, String> answers) {

    private static Defined get(String path, String id, String summary, String answer) {
      return new Defined(PathItem.HttpMethod.GET, path, id, summary, "", Map.of("200", answer));
    }
  }

  private static final List<Defined> ALL =
      List.of(
          new Defined(
              PathItem.HttpMethod.POST,
              "/tsa",
              "timeStamp",
              "A time stamp (RFC 3161)",
              "application/timestamp-query",
              Map.of("200", "application/timestamp-reply")),
          Defined.get(
              "/tsa/chain",
              "timeStampChain",
              "The certificates that time stamps are verified with, in PEM",
              "application/pem-certificate-chain"),
          new Defined(
              PathItem.HttpMethod.POST,
              "/ca/ocsp/{issuer}",
              "ocsp",
              "The status of certificates (RFC 6960)",
              "application/ocsp-request",
              Map.of("200", "application/ocsp-response")),
          Defined.get(
              "/ca/ocsp/{issuer}",
              "ocspByAddress",
              "The same; the request in base64 follows in the address (RFC 6960, appendix A)",
              "application/ocsp-response"),
          Defined.get("/log/key", "logKeys", "The log's keys, one a line (C2SP signed-note)", TEXT),
          Defined.get(
              "/log/checkpoint",
              "logCheckpoint",
              "The newest checkpoint (C2SP tlog-checkpoint)",
              TEXT),
          Defined.get(
              "/log/witnessed-checkpoint",
              "logWitnessedCheckpoint",
              "The newest checkpoint that enough witnesses have cosigned (C2SP tlog-cosignature)",
              TEXT),
          Defined.get(
              "/log/tile/{path}",
              "logTile",
              "A tile; the path has slashes (C2SP tlog-tiles)",
              "application/octet-stream"),
          Defined.get(
              "/log/proof/{requestId}",
              "logProof",
              "The proof that the log has the end of a request (C2SP tlog-proof)",
              TEXT),
          Defined.get("/witness/key", "witnessKeys", "This witness's keys, one a line", TEXT),
          new Defined(
              PathItem.HttpMethod.POST,
              "/witness/add-checkpoint",
              "addCheckpoint",
              "Cosigns a log's checkpoint (C2SP tlog-witness)",
              "text/plain",
              Map.of(
                  "200",
                  TEXT,
                  "400",
                  TEXT,
                  "403",
                  TEXT,
                  "404",
                  TEXT,
                  "409",
                  "text/x.tlog.size",
                  "422",
                  TEXT)));

  private OtherFormats() {}

  /** Adds them to the document's paths. */
  static void addTo(OpenAPI document) {
    for (Defined one : ALL) {
      Operation operation =
          new Operation()
              .operationId(one.id())
              .summary(one.summary())
              .addTagsItem(TAG)
              .responses(new ApiResponses());
      one.answers()
          .forEach((status, type) ->
              operation
                  .getResponses()
                  .addApiResponse(
                      status, new ApiResponse().description(one.summary()).content(octets(type))));
      if (!one.body().isEmpty()) {
        operation.requestBody(new RequestBody().required(true).content(octets(one.body())));
      }
      Matcher variable = VARIABLE.matcher(one.path());
      while (variable.find()) {
        operation.addParametersItem(
            new Parameter()
                .name(variable.group(1))
                .in("path")
                .required(true)
                .schema(new StringSchema()));
      }
      document
          .getPaths()
          .computeIfAbsent(one.path(), _ -> new PathItem())
          .operation(one.method(), operation);
    }
  }

  private static Content octets(String type) {
    Schema<?> schema = new StringSchema();
    return new Content()
        .addMediaType(
            type,
            new MediaType().schema(type.startsWith("text/") ? schema : schema.format("binary")));
  }
}

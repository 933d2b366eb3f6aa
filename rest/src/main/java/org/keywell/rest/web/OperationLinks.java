package org.keywell.rest.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.links.Link;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.List;
import java.util.Objects;

/** Links from an answer's id to further operations (OpenAPI 3.1, section 4.8.20). */
final class OperationLinks {

  private record Next(String path, String status, String operation, String id) {}

  private static final List<Next> LINKS =
      List.of(
          new Next("/sign", "200", "result", "requestId"),
          new Next("/acts", "201", "signAct", "actId"),
          new Next("/acts", "201", "findAct", "actId"),
          new Next("/acts", "201", "cancelAct", "actId"));

  private OperationLinks() {}

  /** Adds each to the answer where it starts. */
  static void addTo(OpenAPI document) {
    for (Next next : LINKS) {
      PathItem item = Objects.requireNonNull(document.getPaths().get(next.path()));
      ApiResponse answer = Objects.requireNonNull(item.getPost().getResponses().get(next.status()));
      answer.link(
          next.operation(),
          new Link()
              .operationId(next.operation())
              .addParameter(next.id(), "$response.body#/" + next.id()));
    }
  }
}

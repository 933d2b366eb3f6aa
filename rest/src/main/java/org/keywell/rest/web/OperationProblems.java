package org.keywell.rest.web;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.request.FailureReason;

/** The problems that each operation can end in, for the OpenAPI document. */
final class OperationProblems {

  /** Refusals and failures that any request can meet. */
  private static final Set<ProblemType> ALWAYS =
      EnumSet.of(
          ProblemType.BAD_HTTP_REQUEST,
          ProblemType.HOST_NOT_ALLOWED,
          ProblemType.FOREIGN_ORIGIN,
          ProblemType.UNAUTHENTICATED,
          ProblemType.CALLER_UNKNOWN,
          ProblemType.CERTIFICATE_REVOKED,
          ProblemType.REVOCATION_UNKNOWN,
          ProblemType.ROLE_MISSING,
          ProblemType.BODY_TOO_LARGE,
          ProblemType.NOT_ACCEPTABLE,
          ProblemType.INTERNAL);

  /** Problems of acts in two calls that requests in one do not have. */
  private static final Set<ProblemType> OF_ACTS =
      EnumSet.of(
          ProblemType.BAD_TIME_TO_LIVE,
          ProblemType.ACT_ELSEWHERE,
          ProblemType.ACT_EXPIRED,
          ProblemType.ACT_CANCELLED,
          ProblemType.ACT_REVOKED,
          ProblemType.ACT_SIGNED,
          ProblemType.ACT_LIMIT,
          ProblemType.ACT_SHARE);

  private OperationProblems() {}

  /** Of {@code POST /sign}, without those of other addresses. */
  private static Set<ProblemType> ofSigning() {
    Set<ProblemType> types = ofAnySigning();
    types.removeAll(OF_ACTS);
    return types;
  }

  private static Set<ProblemType> ofAnySigning() {
    return EnumSet.complementOf(
        EnumSet.of(
            ProblemType.NOT_FOUND,
            ProblemType.METHOD_NOT_ALLOWED,
            ProblemType.CONSOLE_FULL,
            ProblemType.LOG_NOT_KEPT,
            ProblemType.LOG_ENTRY_NOT_FOUND,
            ProblemType.STAMPS_BUSY,
            ProblemType.BAD_REVOCATION,
            ProblemType.CERTIFICATE_UNKNOWN,
            ProblemType.NOT_REVOCABLE));
  }

  /** Of {@code POST /acts}. */
  private static Set<ProblemType> ofOpening() {
    Set<ProblemType> types = ofAnySigning();
    types.removeAll(
        EnumSet.of(
            ProblemType.ACT_ELSEWHERE,
            ProblemType.ACT_SIGNED,
            ProblemType.BAD_DIGEST,
            ProblemType.UNKNOWN_CONTAINER));
    return types;
  }

  /** Of operations on an act by its id, including how it ended. */
  private static Set<ProblemType> ofAct() {
    Set<ProblemType> types = ofResults();
    types.addAll(
        EnumSet.of(
            ProblemType.ACT_ELSEWHERE, ProblemType.ACT_SIGNED, ProblemType.REQUEST_IN_PROGRESS));
    return types;
  }

  /** Of {@code POST /acts/{actId}/sign}. */
  private static Set<ProblemType> ofCompleting() {
    Set<ProblemType> types = ofAct();
    types.addAll(
        EnumSet.of(
            ProblemType.MALFORMED_JSON,
            ProblemType.UNKNOWN_FIELD,
            ProblemType.MISSING_FIELD,
            ProblemType.UNSUPPORTED_MEDIA_TYPE,
            ProblemType.BAD_DIGEST,
            ProblemType.DIGEST_COUNT,
            ProblemType.PROOF_NOT_BOUND,
            ProblemType.RATE_LIMIT,
            ProblemType.SHUTTING_DOWN));
    return types;
  }

  /** Of {@code GET /acts/{actId}}, which reports an act's end differently. */
  private static Set<ProblemType> ofActOnRecord() {
    Set<ProblemType> types =
        EnumSet.of(
            ProblemType.BAD_REQUEST_ID,
            ProblemType.REQUEST_UNKNOWN,
            ProblemType.READS_BUSY,
            ProblemType.RECORD_UNAVAILABLE);
    types.addAll(ALWAYS);
    return types;
  }

  /** Of {@code GET /sign/{requestId}}, including how its request ended. */
  private static Set<ProblemType> ofResults() {
    Set<ProblemType> types =
        EnumSet.of(
            ProblemType.BAD_REQUEST_ID,
            ProblemType.REQUEST_UNKNOWN,
            ProblemType.READS_BUSY,
            ProblemType.DEADLINE,
            ProblemType.ACT_EXPIRED,
            ProblemType.ACT_CANCELLED);
    Stream.of(FailureReason.values()).map(ProblemType::of).forEach(types::add);
    types.addAll(ALWAYS);
    return types;
  }

  /** Of {@code POST /ca/revocations}. */
  private static Set<ProblemType> ofRevocation() {
    Set<ProblemType> types =
        EnumSet.of(
            ProblemType.MALFORMED_JSON,
            ProblemType.UNKNOWN_FIELD,
            ProblemType.MISSING_FIELD,
            ProblemType.UNSUPPORTED_MEDIA_TYPE,
            ProblemType.BAD_REQUEST_ID,
            ProblemType.BAD_REVOCATION,
            ProblemType.CERTIFICATE_UNKNOWN,
            ProblemType.NOT_REVOCABLE,
            ProblemType.RATE_LIMIT,
            ProblemType.READS_BUSY,
            ProblemType.RECORD_UNAVAILABLE);
    types.addAll(ALWAYS);
    return types;
  }

  /** Of {@code /tsa}. */
  private static Set<ProblemType> ofStamps() {
    Set<ProblemType> types =
        EnumSet.of(
            ProblemType.NOT_FOUND,
            ProblemType.UNSUPPORTED_MEDIA_TYPE,
            ProblemType.STAMPS_BUSY,
            ProblemType.HSM_UNAVAILABLE,
            ProblemType.RECORD_UNAVAILABLE,
            ProblemType.RATE_LIMIT);
    types.addAll(ALWAYS);
    return types;
  }

  /** Of OCSP, the log and a witness, which read and record. */
  private static Set<ProblemType> ofReads() {
    Set<ProblemType> types =
        EnumSet.of(
            ProblemType.NOT_FOUND,
            ProblemType.UNSUPPORTED_MEDIA_TYPE,
            ProblemType.LOG_NOT_KEPT,
            ProblemType.LOG_ENTRY_NOT_FOUND,
            ProblemType.BAD_REQUEST_ID,
            ProblemType.READS_BUSY,
            ProblemType.RECORD_UNAVAILABLE,
            ProblemType.RATE_LIMIT);
    types.addAll(ALWAYS);
    return types;
  }

  private static Set<ProblemType> ofStatus() {
    Set<ProblemType> types = EnumSet.of(ProblemType.RECORD_UNAVAILABLE);
    types.addAll(ALWAYS);
    return types;
  }

  /**
   * Returns the problems of an operation.
   *
   * @param operation its method and path, such as {@code POST /sign}
   * @return by HTTP status, the types' names, joined for a sentence
   */
  static SortedMap<Integer, String> of(String operation) {
    Set<ProblemType> types =
        switch (operation) {
          case "POST /sign" -> ofSigning();
          case "GET /sign/{requestId}" -> ofResults();
          case "POST /acts" -> ofOpening();
          case "GET /acts/{actId}" -> ofActOnRecord();
          case "POST /acts/{actId}/sign" -> ofCompleting();
          case "DELETE /acts/{actId}" -> ofAct();
          case "POST /ca/revocations" -> ofRevocation();
          case "GET /pool" -> ofStatus();
          case "POST /tsa", "GET /tsa/chain" -> ofStamps();
          default ->
              operation.contains(" /ca/ocsp/")
                      || operation.contains(" /log/")
                      || operation.contains(" /witness/")
                  ? ofReads()
                  : ALWAYS;
        };
    return types.stream()
        .collect(
            groupingBy(
                type -> type.status().value(),
                TreeMap::new,
                mapping(type -> "`" + type.label() + "`", joining(", "))));
  }
}

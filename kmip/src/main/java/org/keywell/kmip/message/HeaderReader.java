package org.keywell.kmip.message;

import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Value;

/** Reads the header of a request. Refuses what is optional for servers and not offered here. */
final class HeaderReader {

  static final Tag BATCH_COUNT = Tag.named("BatchCount");

  private static final Tag MAXIMUM_RESPONSE_SIZE = Tag.named("MaximumResponseSize");
  private static final Tag CLIENT_CORRELATION = Tag.named("ClientCorrelationValue");
  private static final Tag SERVER_CORRELATION = Tag.named("ServerCorrelationValue");
  private static final Tag ASYNCHRONOUS = Tag.named("AsynchronousIndicator");
  private static final Tag ATTESTATION_CAPABLE = Tag.named("AttestationCapableIndicator");
  private static final Tag ATTESTATION_TYPE = Tag.named("AttestationType");
  private static final Tag AUTHENTICATION = Tag.named("Authentication");
  private static final Tag ON_ERROR = Tag.named("BatchErrorContinuationOption");
  private static final Tag BATCH_ORDER = Tag.named("BatchOrderOption");
  private static final Tag TIME_STAMP = Tag.named("TimeStamp");

  private HeaderReader() {}

  /**
   * Reads the header.
   *
   * @param items how many batch items follow it
   * @throws KmipException if it is malformed, or asks for what is not offered
   */
  static RequestHeader read(Fields fields, int items) {
    fields.required(VersionField.TAG, Value.Structure.class);
    var size = fields.optional(MAXIMUM_RESPONSE_SIZE, Value.Int.class);
    var correlation = fields.optional(CLIENT_CORRELATION, Value.Text.class);
    fields.optional(SERVER_CORRELATION, Value.Text.class);
    refuseAsynchronous(fields);
    var capable = fields.optional(ATTESTATION_CAPABLE, Value.Bool.class);
    fields.repeated(ATTESTATION_TYPE, Value.Enumerated.class);
    var authentication = fields.optional(AUTHENTICATION, Value.Structure.class);
    boolean continues = continuesOnError(fields);
    // Operations are done in their order, whether the client insists on it or not.
    fields.optional(BATCH_ORDER, Value.Bool.class);
    var time = fields.optional(TIME_STAMP, Value.DateTime.class);
    int count = fields.required(BATCH_COUNT, Value.Int.class).value();
    fields.end();
    if (count != items) {
      throw new KmipException(
          ResultReason.INVALID_MESSAGE,
          "BatchCount is %d, but there are %d batch items".formatted(count, items));
    }
    if (size != null && size.value() < 0) {
      throw new KmipException(ResultReason.INVALID_FIELD, "MaximumResponseSize is negative");
    }
    return new RequestHeader(
        fields.version(),
        size == null ? null : size.value(),
        correlation == null ? null : correlation.value(),
        capable != null && capable.value(),
        authentication,
        continues,
        time == null ? null : time.seconds());
  }

  /** A client that merely accepts to wait gets its answer at once. */
  private static void refuseAsynchronous(Fields fields) {
    if (!fields.version().isAtLeast(ProtocolVersion.V2_0)) {
      fields.optional(ASYNCHRONOUS, Value.Bool.class);
      return;
    }
    var indicator = fields.optional(ASYNCHRONOUS, Value.Enumerated.class);
    if (indicator != null && name(ASYNCHRONOUS, indicator, fields.version()).equals("Mandatory")) {
      throw new KmipException(
          ResultReason.FEATURE_NOT_SUPPORTED, "all operations are processed synchronously");
    }
  }

  private static boolean continuesOnError(Fields fields) {
    var option = fields.optional(ON_ERROR, Value.Enumerated.class);
    String name = option == null ? "Stop" : name(ON_ERROR, option, fields.version());
    if (name.equals("Undo")) {
      throw new KmipException(
          ResultReason.FEATURE_NOT_SUPPORTED, "operations of a batch cannot be undone");
    }
    return name.equals("Continue");
  }

  private static String name(Tag tag, Value.Enumerated value, ProtocolVersion version) {
    var named = Enumerations.valued(tag.name(), value.value(), version);
    if (named == null) {
      throw new KmipException(ResultReason.named("UnknownEnumeration"), tag + " has no such value");
    }
    return named.name();
  }
}

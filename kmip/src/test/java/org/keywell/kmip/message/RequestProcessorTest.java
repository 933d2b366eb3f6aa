package org.keywell.kmip.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.message.Messages.answer;
import static org.keywell.kmip.message.Messages.bytes;
import static org.keywell.kmip.message.Messages.integer;
import static org.keywell.kmip.message.Messages.item;
import static org.keywell.kmip.message.Messages.request;
import static org.keywell.kmip.message.Messages.structure;
import static org.keywell.kmip.message.Messages.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

final class RequestProcessorTest {

  private static final ProtocolVersion V1_4 = ProtocolVersion.V1_4;
  private static final ProtocolVersion V2_1 = ProtocolVersion.V2_1;
  private static final Tag UNIQUE_IDENTIFIER = Tag.named("UniqueIdentifier");

  private final List<String> done = new ArrayList<>();
  private final List<RuntimeException> unexpected = new ArrayList<>();
  private final RequestProcessor<String> processor = processor(new MessageLimits(4, 2048));

  private RequestProcessor<String> processor(MessageLimits limits) {
    Map<String, OperationHandler<String>> handlers =
        Map.of(
            "Get", this::get,
            "Locate", this::locate,
            "Destroy", this::destroy,
            "Encrypt", this::explode,
            "SetAttribute", call -> List.of());
    return Messages.processor(limits, handlers, unexpected);
  }

  /** Repeats the name, or what an earlier operation has found. */
  private List<Item> get(OperationCall<String> call) {
    Fields fields = call.fields();
    var name = fields.optional(UNIQUE_IDENTIFIER, Value.Text.class);
    fields.end();
    String found = name == null ? String.valueOf(call.batch().idPlaceholder()) : name.value();
    done.add(call.caller() + " gets " + found);
    return List.of(text("UniqueIdentifier", found));
  }

  private List<Item> locate(OperationCall<String> call) {
    call.batch().setIdPlaceholder("found");
    return List.of();
  }

  private List<Item> destroy(OperationCall<String> call) {
    throw new KmipException(ResultReason.named("ObjectDestroyed"), "it is destroyed");
  }

  private List<Item> explode(OperationCall<String> call) {
    throw new IllegalStateException("secret");
  }

  private static Item named(String name) {
    return text("UniqueIdentifier", name);
  }

  @Test
  void answersAnOperation() {
    assertThat(answer(processor, request(V1_4, List.of(), item("Get", named("a")))))
        .isEqualTo(
            "((1.4) BatchCount=1) BatchItem(Operation=Get ResultStatus=Success"
                + " ResponsePayload(UniqueIdentifier=a)))");
    assertThat(done).containsExactly("caller gets a");
  }

  @Test
  void answersABatchInItsOrderWithItsIds() {
    assertThat(
            answer(
                processor,
                request(
                    V1_4,
                    List.of(Tag.named("BatchOrderOption").item(new Value.Bool(true))),
                    item(7, "Locate"),
                    item(5, "Get"))))
        .isEqualTo(
            "((1.4) BatchCount=2) BatchItem(Operation=Locate UniqueBatchItemID=7"
                + " ResultStatus=Success ResponsePayload()) BatchItem(Operation=Get"
                + " UniqueBatchItemID=5 ResultStatus=Success"
                + " ResponsePayload(UniqueIdentifier=found)))");
  }

  @Test
  void requestsDoNotShareWhatTheyHaveFound() {
    answer(processor, request(V1_4, List.of(), item("Locate")));
    answer(processor, request(V1_4, List.of(), item("Get")));

    assertThat(done).containsExactly("caller gets null");
  }

  @ParameterizedTest
  @CsvSource({"1, 4, PermissionDenied", "2, 0, ObjectDestroyed", "2, 1, ObjectDestroyed"})
  void failuresAreToldInTheWordsOfTheVersion(int major, int minor, String reason) {
    ProtocolVersion version = new ProtocolVersion(major, minor);

    assertThat(answer(processor, request(version, List.of(), item("Destroy"))))
        .isEqualTo(
            "((%s) BatchCount=1) BatchItem(Operation=Destroy ResultStatus=OperationFailed"
                    .formatted(version)
                + " ResultReason=%s ResultMessage=it is destroyed))".formatted(reason));
  }

  @ParameterizedTest
  @CsvSource({"Stop, 2", "'', 2", "Continue, 3"})
  void afterAFailureTheOptionDecides(String option, int answered) {
    List<Item> header =
        option.isEmpty()
            ? List.of()
            : List.of(Tag.named("BatchErrorContinuationOption").item(option));

    String answer =
        answer(
            processor,
            request(
                V1_4,
                header,
                item(1, "Get", named("a")),
                item(2, "Destroy"),
                item(3, "Get", named("b"))));

    assertThat(answer).startsWith("((1.4) BatchCount=" + answered + ")");
    assertThat(done).hasSize(answered - 1);
  }

  @Test
  void undoIsRefusedBeforeAnythingIsDone() {
    Item undo = Tag.named("BatchErrorContinuationOption").item("Undo");

    assertRefused(
        request(V1_4, List.of(undo), item(1, "Get"), item(2, "Get")),
        "FeatureNotSupported ResultMessage=operations of a batch cannot be undone");
  }

  @Test
  void whatIsUnexpectedIsNotToldToTheClient() {
    assertThat(answer(processor, request(V1_4, List.of(), item("Encrypt"))))
        .contains("ResultReason=GeneralFailure ResultMessage=internal error")
        .doesNotContain("secret");
    assertThat(answer(processor, request(V2_1, List.of(), item("Encrypt"))))
        .contains("ResultReason=InternalServerError");
    assertThat(unexpected).hasSize(2).allMatch(e -> "secret".equals(e.getMessage()));
  }

  @Test
  void operationsThatAreNotOfferedAreNotSupported() {
    for (String each : List.of("Poll", "SetAttribute", "Put")) {
      assertThat(answer(processor, request(V1_4, List.of(), item(each))))
          .contains("BatchItem(Operation=" + each)
          .contains("ResultReason=OperationNotSupported");
    }
    assertThat(answer(processor, request(V2_1, List.of(), item("SetAttribute"))))
        .contains("ResultStatus=Success");
    Item unknown =
        structure(
            "BatchItem",
            Tag.named("Operation").item(new Value.Enumerated(0x80000001)),
            structure("RequestPayload"));
    assertThat(answer(processor, request(V1_4, List.of(), unknown)))
        .contains("Operation=80000001 ResultStatus=OperationFailed")
        .contains("ResultReason=OperationNotSupported");
  }

  @Test
  void malformedPayloadsFailTheirOperationOnly() {
    String answer =
        answer(
            processor,
            request(
                V1_4,
                List.of(Tag.named("BatchErrorContinuationOption").item("Continue")),
                item(1, "Get", named("a"), named("b")),
                item(2, "Get", integer("UniqueIdentifier", 1)),
                item(3, "Get", text("NameValue", "a")),
                item(4, "Get", new Item(0x540001, new Value.Int(1)))));

    assertThat(answer)
        .contains(
            "InvalidMessage ResultMessage=RequestPayload has UniqueIdentifier more than once",
            "InvalidMessage ResultMessage=UniqueIdentifier in RequestPayload must not be a Integer",
            "InvalidField ResultMessage=NameValue does not belong in RequestPayload",
            "InvalidField ResultMessage=540001 does not belong in RequestPayload");
    assertThat(done).isEmpty();
  }

  @Test
  void fieldsOfOtherVersionsAreRefused() {
    Item ephemeral = Tag.named("Ephemeral").item(new Value.Bool(true));
    Item item =
        structure(
            "BatchItem",
            Tag.named("Operation").item("Get"),
            ephemeral,
            structure("RequestPayload", named("a")));

    assertThat(answer(processor, request(V2_1, List.of(), item))).contains("Success");
    assertRefused(
        request(V1_4, List.of(), item), "InvalidField ResultMessage=KMIP 1.4 has no Ephemeral");
  }

  @Test
  void messagesThatAreNoRequestsAreRefused() {
    assertRefused(structure("ResponseMessage"), "InvalidMessage");
    assertRefused(named("a"), "InvalidMessage");
    assertRefused(structure("RequestMessage"), "InvalidMessage");
    assertRefused(structure("RequestMessage", structure("RequestHeader")), "InvalidMessage");
    assertRefused(request(V1_4, List.of()), "InvalidMessage ResultMessage=the request has no");
    assertRefused(
        structure("RequestMessage", structure("RequestHeader", VersionField.write(V1_4))),
        "InvalidMessage");
    assertRefused(
        request(V1_4, List.of(), structure("BatchItem")),
        "InvalidMessage ResultMessage=BatchItem lacks Operation");
    assertRefused(
        request(V1_4, List.of(integer("BatchCount", 1)), item("Get")),
        "InvalidMessage ResultMessage=RequestHeader has BatchCount more than once");
    assertRefused(
        request(V1_4, List.of(named("a")), item("Get")),
        "InvalidField ResultMessage=UniqueIdentifier does not belong in RequestHeader");
    assertRefused(
        request(V1_4, List.of(integer("MaximumResponseSize", -1)), item("Get")), "InvalidField");
  }

  @Test
  void theBatchCountMustBeRight() {
    Item header = structure("RequestHeader", VersionField.write(V1_4), integer("BatchCount", 2));

    assertRefused(
        structure("RequestMessage", header, item("Get")),
        "InvalidMessage ResultMessage=BatchCount is 2, but there are 1 batch items");
  }

  @Test
  void batchesAreLimited() {
    Item[] items = new Item[5];
    Arrays.setAll(items, i -> item(i, "Get"));

    assertRefused(
        request(V1_4, List.of(), items),
        "GeneralFailure ResultMessage=a request may have 4 batch items at most");
    assertThat(answer(processor, request(V2_1, List.of(), items)))
        .contains("ResultReason=ServerLimitExceeded");
  }

  @Test
  void itemsOfABatchNeedIdsOfTheirOwn() {
    assertRefused(request(V1_4, List.of(), item(1, "Get"), item(1, "Get")), "InvalidMessage");
    assertRefused(request(V1_4, List.of(), item("Get"), item(1, "Get")), "InvalidMessage");
  }

  @Test
  void criticalExtensionsAreRefused() {
    assertRefused(
        request(V1_4, List.of(), extended(true)),
        "FeatureNotSupported ResultMessage=no message extension is understood");
    assertThat(answer(processor, request(V1_4, List.of(), extended(false)))).contains("Success");
  }

  private static Item extended(boolean critical) {
    return structure(
        "BatchItem",
        Tag.named("Operation").item("Get"),
        structure("RequestPayload"),
        structure(
            "MessageExtension",
            text("VendorIdentification", "vendor"),
            Tag.named("CriticalityIndicator").item(new Value.Bool(critical)),
            structure("VendorExtension")));
  }

  @Test
  void waitingIsNotOffered() {
    Item may = Tag.named("AsynchronousIndicator").item("Optional");
    Item must = Tag.named("AsynchronousIndicator").item("Mandatory");

    assertThat(answer(processor, request(V2_1, List.of(may), item("Get")))).contains("Success");
    assertThat(answer(processor, request(V2_1, List.of(must), item("Get"))))
        .contains("ResultReason=FeatureNotSupported");
    Item flag = Tag.named("AsynchronousIndicator").item(new Value.Bool(true));
    assertThat(answer(processor, request(V1_4, List.of(flag), item("Get")))).contains("Success");
  }

  @ParameterizedTest
  @CsvSource({
    "3, 0, 2.1, UnsupportedProtocolVersion",
    "2, 2, 2.1, UnsupportedProtocolVersion",
    "1, 5, 1.4, InvalidMessage",
    "0, 9, 1.0, InvalidMessage",
    "-1, 0, 1.0, InvalidMessage"
  })
  void otherVersionsAreAnsweredInTheNearest(int major, int minor, String answered, String reason) {
    Item request = request(new ProtocolVersion(major, minor), List.of(), item("Get"));

    assertThat(answer(processor, request))
        .startsWith("((" + answered + ") BatchCount=1) BatchItem(ResultStatus=OperationFailed")
        .contains("ResultReason=" + reason);
  }

  @Test
  void responsesFitTheClient() {
    String name = "n".repeat(400);
    Item request =
        request(
            V1_4,
            List.of(integer("MaximumResponseSize", 500)),
            item(1, "Get", named("a")),
            item(2, "Get", named(name)),
            item(3, "Get", named("b")));

    Answer answer = processor.process(TtlvWriter.write(request), "caller");

    assertThat(Messages.words(answer))
        .contains("BatchCount=2", "UniqueIdentifier=a", "ResultReason=ResponseTooLarge")
        .doesNotContain(name);
    assertThat(answer.message()).hasSizeLessThanOrEqualTo(500);
    assertThat(done).as("the third is not begun").hasSize(2);
  }

  @Test
  void responsesAreLimited() {
    Item request = request(V1_4, List.of(), item("Get", named("n".repeat(3000))));

    assertThat(answer(processor, request)).contains("ResultReason=ResponseTooLarge");
  }

  @Test
  void credentialsReachTheHandlerUnread() {
    List<Item> seen = new ArrayList<>();
    Map<String, OperationHandler<String>> handlers =
        Map.of(
            "Get",
            call -> {
              Value.Structure authentication = call.header().authentication();
              if (authentication != null) {
                seen.addAll(authentication.items());
              }
              return List.of();
            });
    Item credential = structure("Credential", bytes("CredentialValue", "x"));
    answer(
        Messages.processor(MessageLimits.STANDARD, handlers, unexpected),
        request(V1_4, List.of(structure("Authentication", credential)), item("Get")));

    assertThat(seen).containsExactly(credential);
  }

  @Test
  void bytesThatAreNoMessageEndTheConnection() {
    byte[] bytes = TtlvWriter.write(request(V1_4, List.of(), item("Get")));

    assertThat(Messages.words(processor.process(Arrays.copyOf(bytes, 20), "caller")))
        .isEqualTo(
            "((1.0) BatchCount=1) BatchItem(ResultStatus=OperationFailed"
                + " ResultReason=InvalidMessage ResultMessage=malformed: TRUNCATED)) last");
  }

  /** Whatever the bytes are, the answer is a response, and nothing is unexpected. */
  @Test
  void anyBytesGetAWellFormedResponse() {
    Item batch =
        request(
            V1_4,
            List.of(integer("MaximumResponseSize", 900)),
            item(1, "Get", named("a")),
            item(2, "Query", Tag.named("QueryFunction").item("QueryOperations")),
            item(3, "DiscoverVersions", VersionField.write(V1_4)));
    byte[] bytes = TtlvWriter.write(batch);
    RequestProcessor<String> benign =
        Messages.processor(MessageLimits.STANDARD, Map.of("Get", this::get), unexpected);
    TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      byte[] altered = bytes.clone();
      for (int left = 1 + random.nextInt(3); left > 0; left--) {
        altered[random.nextInt(altered.length)] = (byte) random.nextInt(256);
      }
      Item response = reader.read(benign.process(altered, "caller").message());
      assertThat(response.tag()).isEqualTo(Tag.named("ResponseMessage").number());
    }
    assertThat(unexpected).isEmpty();
  }

  private void assertRefused(Item request, String reason) {
    done.clear();
    assertThat(answer(processor, request))
        .contains("BatchCount=1) BatchItem(ResultStatus=OperationFailed ResultReason=" + reason);
    assertThat(done).isEmpty();
  }
}

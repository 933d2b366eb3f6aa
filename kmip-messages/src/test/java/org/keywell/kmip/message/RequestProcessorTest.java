package org.keywell.kmip.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.client.Messages.integer;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.message.Samples.answer;
import static org.keywell.kmip.message.Samples.bytes;
import static org.keywell.kmip.message.Samples.item;
import static org.keywell.kmip.message.Samples.request;
import static org.keywell.kmip.message.StubOperations.named;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

final class RequestProcessorTest {

  private static final ProtocolVersion V1_4 = ProtocolVersion.V1_4;
  private static final ProtocolVersion V2_1 = ProtocolVersion.V2_1;

  private final StubOperations operations = new StubOperations();
  private final RequestProcessor<String> processor = operations.processor();

  @Test
  void answersAnOperation() {
    assertThat(answer(processor, request(V1_4, List.of(), item("Get", named("a")))))
        .isEqualTo(
            "((1.4) BatchCount=1) BatchItem(Operation=Get ResultStatus=Success"
                + " ResponsePayload(UniqueIdentifier=a)))");
    assertThat(operations.done).containsExactly("caller gets a");
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

    assertThat(operations.done).containsExactly("caller gets null");
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
    assertThat(operations.done).hasSize(answered - 1);
  }

  @Test
  void whatIsUnexpectedIsNotToldToTheClient() {
    assertThat(answer(processor, request(V1_4, List.of(), item("Encrypt"))))
        .contains("ResultReason=GeneralFailure ResultMessage=internal error")
        .doesNotContain("secret");
    assertThat(answer(processor, request(V2_1, List.of(), item("Encrypt"))))
        .contains("ResultReason=InternalServerError");
    assertThat(operations.unexpected).hasSize(2).allMatch(e -> "secret".equals(e.getMessage()));
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

    assertThat(Samples.words(answer))
        .contains("BatchCount=2", "UniqueIdentifier=a", "ResultReason=ResponseTooLarge")
        .doesNotContain(name);
    assertThat(answer.message()).hasSizeLessThanOrEqualTo(500);
    assertThat(operations.done).as("the third is not begun").hasSize(2);
  }

  @Test
  void responsesAreLimited() {
    Item request = request(V1_4, List.of(), item("Get", named("n".repeat(3000))));

    assertThat(answer(processor, request)).contains("ResultReason=ResponseTooLarge");
  }

  @Test
  void aListenerIsToldOfEachOperationOnce() {
    Item unknown =
        structure(
            "BatchItem",
            Tag.named("Operation").item(new Value.Enumerated(0x80000001)),
            structure("RequestPayload"));
    for (Item each : List.of(item("Get", named("a")), item("Destroy"), item("Encrypt"), unknown)) {
      answer(processor, request(V1_4, List.of(), each));
    }
    answer(processor, request(V1_4, List.of(), item("Get", named("n".repeat(3000)))));
    processor.process(new byte[8], "caller");
    processor.refuse(null, new KmipException("InvalidMessage", "too long"));

    assertThat(operations.heard)
        .containsExactly(
            "Get null",
            "Destroy ObjectDestroyed",
            "Encrypt InternalServerError",
            "null OperationNotSupported",
            "Get ResponseTooLarge",
            "refused CodecError",
            "refused InvalidMessage");
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
        Samples.processor(MessageLimits.STANDARD, handlers, operations.unexpected),
        request(V1_4, List.of(structure("Authentication", credential)), item("Get")));

    assertThat(seen).containsExactly(credential);
  }
}

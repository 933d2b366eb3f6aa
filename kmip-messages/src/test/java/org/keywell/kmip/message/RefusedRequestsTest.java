package org.keywell.kmip.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.client.Messages.integer;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.client.Messages.text;
import static org.keywell.kmip.message.Samples.answer;
import static org.keywell.kmip.message.Samples.bytes;
import static org.keywell.kmip.message.Samples.item;
import static org.keywell.kmip.message.Samples.request;
import static org.keywell.kmip.message.StubOperations.named;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** What is refused, and with which words. */
final class RefusedRequestsTest {

  private static final ProtocolVersion V1_4 = ProtocolVersion.V1_4;
  private static final ProtocolVersion V2_1 = ProtocolVersion.V2_1;

  private final StubOperations operations = new StubOperations();
  private final RequestProcessor<String> processor = operations.processor();

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
    assertThat(operations.done).isEmpty();
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
  void undoIsRefusedBeforeAnythingIsDone() {
    Item undo = Tag.named("BatchErrorContinuationOption").item("Undo");

    assertRefused(
        request(V1_4, List.of(undo), item(1, "Get"), item(2, "Get")),
        "FeatureNotSupported ResultMessage=operations of a batch cannot be undone");
  }

  @Test
  void bytesThatAreNoMessageEndTheConnection() {
    byte[] bytes = TtlvWriter.write(request(V1_4, List.of(), item("Get")));

    assertThat(Samples.words(processor.process(Arrays.copyOf(bytes, 20), "caller")))
        .isEqualTo(
            "((1.0) BatchCount=1) BatchItem(ResultStatus=OperationFailed"
                + " ResultReason=InvalidMessage ResultMessage=malformed: TRUNCATED)) last");
  }

  /** Whatever the bytes are, the answer is a response, and nothing is operations.unexpected. */
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
    RequestProcessor<String> benign = operations.benign();
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
    assertThat(operations.unexpected).isEmpty();
  }

  private void assertRefused(Item request, String reason) {
    operations.done.clear();
    assertThat(answer(processor, request))
        .contains("BatchCount=1) BatchItem(ResultStatus=OperationFailed ResultReason=" + reason);
    assertThat(operations.done).isEmpty();
  }
}

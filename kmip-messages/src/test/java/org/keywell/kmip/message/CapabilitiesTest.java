package org.keywell.kmip.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.message.Samples.answer;
import static org.keywell.kmip.message.Samples.item;
import static org.keywell.kmip.message.Samples.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;

/** {@code DiscoverVersions} and {@code Query}. */
final class CapabilitiesTest {

  private static final ProtocolVersion V1_0 = ProtocolVersion.V1_0;
  private static final ProtocolVersion V1_3 = ProtocolVersion.V1_3;
  private static final ProtocolVersion V1_4 = ProtocolVersion.V1_4;
  private static final ProtocolVersion V2_1 = ProtocolVersion.V2_1;
  private static final OperationHandler<String> NOTHING = call -> List.of();

  private final RequestProcessor<String> processor =
      Samples.processor(
          MessageLimits.STANDARD,
          Map.of("Get", NOTHING, "Import", NOTHING, "SetAttribute", NOTHING),
          new ArrayList<>());

  private String discover(ProtocolVersion header, Item... asked) {
    return payload(answer(processor, request(header, List.of(), item("DiscoverVersions", asked))));
  }

  private String query(ProtocolVersion version, String... functions) {
    Item[] asked = Stream.of(functions).map(Tag.named("QueryFunction")::item).toArray(Item[]::new);
    return payload(answer(processor, request(version, List.of(), item("Query", asked))));
  }

  private static String payload(String answer) {
    return answer.replaceFirst(".*ResponsePayload\\((.*)\\)\\)\\)", "$1");
  }

  @Test
  void allVersionsTheNewestFirst() {
    assertThat(discover(V1_4).replace("ProtocolVersion", ""))
        .isEqualTo("(2.1) (2.0) (1.4) (1.3) (1.2) (1.1) (1.0)");
  }

  @Test
  void versionsOfBothSides() {
    Item[] asked = {
      VersionField.write(new ProtocolVersion(1, 1)),
      VersionField.write(new ProtocolVersion(9, 0)),
      VersionField.write(V2_1)
    };

    assertThat(discover(V1_4, asked).replace("ProtocolVersion", "")).isEqualTo("(2.1) (1.1)");
    assertThat(discover(V1_4, VersionField.write(new ProtocolVersion(9, 0)))).isEmpty();
  }

  @Test
  void versionsCannotBeDiscoveredIn1_0() {
    assertThat(discover(V1_0)).contains("ResultReason=OperationNotSupported");
  }

  @Test
  void operationsAreThoseOfTheVersion() {
    assertThat(query(V1_0, "QueryOperations")).isEqualTo("Operation=Get Operation=Query");
    assertThat(query(V1_4, "QueryOperations"))
        .isEqualTo("Operation=Get Operation=Query Operation=DiscoverVersions Operation=Import");
    assertThat(query(V2_1, "QueryOperations")).endsWith("Operation=Import Operation=SetAttribute");
  }

  @Test
  void objectsAreThoseOfTheVersion() {
    assertThat(query(V1_4, "QueryObjects")).isEqualTo("ObjectType=SymmetricKey");
    assertThat(query(V2_1, "QueryObjects"))
        .isEqualTo("ObjectType=SymmetricKey ObjectType=CertificateRequest");
  }

  @Test
  void theServerIsNamed() {
    assertThat(query(V1_4, "QueryServerInformation"))
        .isEqualTo("VendorIdentification=keywell.org ServerInformation()");
    assertThat(query(V2_1, "QueryServerInformation"))
        .isEqualTo("VendorIdentification=keywell.org ServerInformation(ServerVersion=test)");
  }

  @Test
  void capabilitiesAreThoseOfTheVersion() {
    assertThat(query(V1_3, "QueryCapabilities"))
        .isEqualTo(
            "CapabilityInformation(StreamingCapability=false AsynchronousCapability=false"
                + " AttestationCapability=false)");
    assertThat(query(V1_4, "QueryCapabilities"))
        .endsWith("BatchUndoCapability=false BatchContinueCapability=true)");
  }

  @Test
  void functionsWithoutAnAnswerAddNothing() {
    assertThat(
            query(
                V2_1,
                "QueryApplicationNamespaces",
                "QueryExtensionList",
                "QueryExtensionMap",
                "QueryAttestationTypes",
                "QueryValidations",
                "QueryProfiles",
                "QueryClientRegistrationMethods",
                "QueryDefaultsInformation"))
        .isEmpty();
    assertThat(query(V2_1, "QueryRNGs", "QueryStorageProtectionMasks"))
        .isEqualTo("RNGParameters(RNGAlgorithm=Unspecified) ProtectionStorageMasks()");
  }

  @Test
  void answersComeInTheSpecificationsOrder() {
    assertThat(query(V1_4, "QueryObjects", "QueryOperations", "QueryObjects"))
        .startsWith("Operation=Get")
        .endsWith("ObjectType=SymmetricKey");
  }

  @Test
  void functionsOfOtherVersionsAreIgnored() {
    assertThat(query(V1_0, "QueryProfiles")).isEmpty();
    assertThat(query(V1_4)).contains("ResultReason=InvalidMessage");
    Item groups = structure("ObjectGroups");
    Item function = Tag.named("QueryFunction").item("QueryOperations");
    assertThat(answer(processor, request(V2_1, List.of(), item("Query", function, groups))))
        .contains("ResultReason=UnknownObjectGroup");
  }

  @Test
  void onlyClientsOperationsCanBeOffered() {
    for (String each : List.of("Put", "Query", "Nothing")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OperationRegistry<>(Map.of(each, NOTHING), Samples.SERVER));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServerDescription("v", "1", List.of("Nothing")));
    assertThatIllegalArgumentException().isThrownBy(() -> new MessageLimits(0, 1024));
    assertThatIllegalArgumentException().isThrownBy(() -> new MessageLimits(1, 100));
  }
}

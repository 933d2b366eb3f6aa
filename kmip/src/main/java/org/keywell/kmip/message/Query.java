package org.keywell.kmip.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.Operation;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Tells what the server can do, as far as the version of the request has words for it. A function
 * that the version has, but for which there is nothing to tell, adds nothing.
 */
final class Query<C> implements OperationHandler<C> {

  private static final Tag QUERY_FUNCTION = Tag.named("QueryFunction");
  private static final Tag OBJECT_GROUPS = Tag.named("ObjectGroups");

  private final ServerDescription server;
  private final Function<ProtocolVersion, List<Operation>> offered;

  Query(ServerDescription server, Function<ProtocolVersion, List<Operation>> offered) {
    this.server = server;
    this.offered = offered;
  }

  @Override
  public List<Item> handle(OperationCall<C> call) {
    Fields fields = call.fields();
    Set<String> asked = new HashSet<>();
    for (var each : fields.repeated(QUERY_FUNCTION, Value.Enumerated.class)) {
      asked.add(function(each.value(), call.version()));
    }
    if (fields.optional(OBJECT_GROUPS, Value.Structure.class) != null) {
      throw new KmipException(
          ResultReason.named("UnknownObjectGroup"), "there are no object groups");
    }
    fields.end();
    if (asked.isEmpty()) {
      throw new KmipException(ResultReason.INVALID_MESSAGE, "Query lacks a QueryFunction");
    }
    return answer(asked, call.version());
  }

  private static String function(int value, ProtocolVersion version) {
    var function = Enumerations.valued(QUERY_FUNCTION.name(), value, version);
    if (function == null) {
      throw new KmipException(
          ResultReason.INVALID_FIELD,
          "KMIP %s has no QueryFunction %08X".formatted(version, value));
    }
    return function.name();
  }

  private List<Item> answer(Set<String> asked, ProtocolVersion version) {
    List<Item> answer = new ArrayList<>();
    if (asked.contains("QueryOperations")) {
      offered.apply(version).forEach(each -> answer.add(item("Operation", each.name())));
    }
    if (asked.contains("QueryObjects")) {
      server.objectTypes().stream()
          .filter(each -> Enumerations.named("ObjectType", each).span().includes(version))
          .forEach(each -> answer.add(item("ObjectType", each)));
    }
    if (asked.contains("QueryServerInformation")) {
      answer.add(Tag.named("VendorIdentification").item(new Value.Text(server.vendor())));
      Item its = Tag.named("ServerVersion").item(new Value.Text(server.version()));
      answer.add(structure("ServerInformation", version, its));
    }
    if (asked.contains("QueryRNGs")) {
      answer.add(structure("RNGParameters", version, item("RNGAlgorithm", "Unspecified")));
    }
    if (asked.contains("QueryCapabilities")) {
      answer.add(
          structure(
              "CapabilityInformation",
              version,
              capability("StreamingCapability", false),
              capability("AsynchronousCapability", false),
              capability("AttestationCapability", false),
              capability("BatchUndoCapability", false),
              capability("BatchContinueCapability", true)));
    }
    if (asked.contains("QueryStorageProtectionMasks")) {
      answer.add(structure("ProtectionStorageMasks", version));
    }
    return answer;
  }

  private static Item item(String tag, String value) {
    return Tag.named(tag).item(value);
  }

  private static Item capability(String tag, boolean value) {
    return Tag.named(tag).item(new Value.Bool(value));
  }

  /** Returns a structure of those fields that the version has. */
  private static Item structure(String tag, ProtocolVersion version, Item... fields) {
    return Tag.named(tag).item(Stream.of(fields).filter(each -> isIn(version, each)).toList());
  }

  private static boolean isIn(ProtocolVersion version, Item item) {
    Tag tag = Tag.numbered(item.tag());
    return tag != null && tag.span().includes(version);
  }
}

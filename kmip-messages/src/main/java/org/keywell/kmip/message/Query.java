package org.keywell.kmip.message;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Tells what the server can do, as far as the version of the request has words for it. A function
 * that the version has, but for which there is nothing to tell, adds nothing.
 *
 * @param offered the names of the operations that a version has
 */
record Query<C>(ServerDescription server, Function<ProtocolVersion, List<String>> offered)
    implements OperationHandler<C> {

  @Override
  public List<Item> handle(OperationCall<C> call) {
    Fields fields = call.fields();
    List<Value.Enumerated> functions = fields.repeated("QueryFunction", Value.Enumerated.class);
    if (fields.optional("ObjectGroups", Value.Structure.class) != null) {
      throw new KmipException("UnknownObjectGroup", "there are no object groups");
    }
    fields.end();
    if (functions.isEmpty()) {
      throw new KmipException("InvalidMessage", "Query lacks a QueryFunction");
    }
    return answer(known(functions, call.version()), call.version());
  }

  /** Clients ask for what later versions have, too: there is nothing to tell of it. */
  private static Set<String> known(List<Value.Enumerated> functions, ProtocolVersion version) {
    Set<String> known = new HashSet<>();
    for (Value.Enumerated each : functions) {
      var named = Enumerations.valued("QueryFunction", each.value(), version);
      if (named != null) {
        known.add(named.name());
      }
    }
    return known;
  }

  private List<Item> answer(Set<String> asked, ProtocolVersion version) {
    FieldsBuilder answer = new FieldsBuilder();
    if (asked.contains("QueryOperations")) {
      offered.apply(version).forEach(each -> answer.choice("Operation", each));
    }
    if (asked.contains("QueryObjects")) {
      server.objectTypes().stream()
          .filter(each -> Enumerations.named("ObjectType", each).span().includes(version))
          .forEach(each -> answer.choice("ObjectType", each));
    }
    if (asked.contains("QueryServerInformation")) {
      answer.text("VendorIdentification", server.vendor());
      var its = new FieldsBuilder().text("ServerVersion", server.version());
      answer.add(structure("ServerInformation", version, its));
    }
    if (asked.contains("QueryRNGs")) {
      answer.structure("RNGParameters", new FieldsBuilder().choice("RNGAlgorithm", "Unspecified"));
    }
    if (asked.contains("QueryCapabilities")) {
      FieldsBuilder capabilities =
          new FieldsBuilder()
              .flag("StreamingCapability", false)
              .flag("AsynchronousCapability", false)
              .flag("AttestationCapability", false)
              .flag("BatchUndoCapability", false)
              .flag("BatchContinueCapability", true);
      answer.add(structure("CapabilityInformation", version, capabilities));
    }
    if (asked.contains("QueryStorageProtectionMasks")) {
      answer.structure("ProtectionStorageMasks", new FieldsBuilder());
    }
    return answer.items();
  }

  /** Returns a structure of those fields that the version has. */
  private static Item structure(String tag, ProtocolVersion version, FieldsBuilder fields) {
    return Tag.named(tag)
        .item(fields.items().stream().filter(each -> Tag.has(version, each.tag())).toList());
  }
}

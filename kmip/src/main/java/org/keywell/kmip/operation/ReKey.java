package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Re-key} and {@code Re-key Key Pair}: a new key in the place of another. */
final class ReKey {

  private static final Tag OFFSET = Tag.named("Offset");
  private static final Tag PRIVATE_KEY_ID = Tag.named("PrivateKeyUniqueIdentifier");

  private static final List<String> PERIODS =
      List.of("Activation Date", "Process Start Date", "Protect Stop Date", "Deactivation Date");

  /** What is not the new key's: its names move to it, the rest begins again. */
  private static final Set<String> OWN =
      Set.of(
          "Initial Date",
          "Last Change Date",
          "Destroy Date",
          "Compromise Date",
          "Compromise Occurrence Date",
          "Revocation Reason",
          "Digest",
          "Link",
          "Fresh");

  private final Custody custody;
  private final Create create;
  private final CreateKeyPair createKeyPair;

  ReKey(Custody custody) {
    this.custody = custody;
    this.create = new Create(custody);
    this.createKeyPair = new CreateKeyPair(custody);
  }

  List<Item> key(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Interval offset = fields.optional(OFFSET, Value.Interval.class);
    Template given = Template.take(call, fields, "TemplateAttribute", "Attributes");
    UUID id = Identifiers.take(call, fields);
    fields.end();
    ManagedObject old = custody.read(call.caller(), id);
    requireReplaceable(old, ObjectType.SYMMETRIC_KEY);
    ManagedObject made =
        NewObjects.linked(
            create.make(call.caller(), replacing(old, given, offset)), "ReplacedObjectLink", id);
    custody.objects().insert("Re-key", List.of(made), InTransaction.NOTHING);
    replaced(call.caller(), old, made.id());
    call.batch().setIdPlaceholder(made.id().toString());
    return List.of(Identifiers.item(made.id()));
  }

  List<Item> pair(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    UUID id =
        fields.optional(PRIVATE_KEY_ID, Value.Text.class) instanceof Value.Text(String text)
            ? Identifiers.parse(text)
            : Identifiers.take(call, fields);
    Value.@Nullable Interval offset = fields.optional(OFFSET, Value.Interval.class);
    Template common = Template.take(call, fields, "CommonTemplateAttribute", "CommonAttributes");
    Template forPrivate =
        common.with(
            Template.take(call, fields, "PrivateKeyTemplateAttribute", "PrivateKeyAttributes"));
    Template forPublic =
        common.with(
            Template.take(call, fields, "PublicKeyTemplateAttribute", "PublicKeyAttributes"));
    fields.end();
    ManagedObject oldPrivate = custody.read(call.caller(), id);
    requireReplaceable(oldPrivate, ObjectType.PRIVATE_KEY);
    ManagedObject oldPublic =
        custody.read(
            call.caller(),
            Links.find(oldPrivate, "PublicKeyLink")
                .orElseThrow(() ->
                    new KmipException(
                        ResultReason.named("ObjectNotFound"), "the key has no public half here")));
    Template ofPrivate = replacing(oldPrivate, forPrivate, offset);
    CreateKeyPair.Pair made =
        createKeyPair.create(
            "Re-key Key Pair",
            call.caller(),
            CreateKeyPair.spec(ofPrivate),
            ofPrivate,
            replacing(oldPublic, forPublic, offset));
    replaced(call.caller(), oldPrivate, made.privateKey().id());
    replaced(call.caller(), oldPublic, made.publicKey().id());
    call.batch().setIdPlaceholder(made.privateKey().id().toString());
    return List.of(
        Identifiers.item("PrivateKeyUniqueIdentifier", made.privateKey().id()),
        Identifiers.item("PublicKeyUniqueIdentifier", made.publicKey().id()));
  }

  private static void requireReplaceable(ManagedObject old, ObjectType type) {
    if (old.type() != type) {
      throw new KmipException(
          ResultReason.named("InvalidObjectType"), "the object is no " + type.label());
    }
    if (Links.find(old, "ReplacementObjectLink").isPresent()) {
      throw new KmipException(
          ResultReason.named("PermissionDenied"), "the key was replaced before");
    }
    if (old.material() == null) {
      throw new KmipException(ResultReason.named("ObjectDestroyed"), "the key was destroyed");
    }
  }

  /**
   * Returns the old key's attributes with those that the client gives. With an offset, the new key
   * becomes active that long from now, and its other dates are as far from that as the old key's.
   */
  private Template replacing(ManagedObject old, Template given, Value.@Nullable Interval offset) {
    List<AttributeValue> kept =
        old.attributes().all().stream().filter(each -> isKept(each.name())).toList();
    Template all = new Template(kept, given.version());
    return (offset == null ? all : all.with(moved(old, given.version(), offset))).with(given);
  }

  private Template moved(ManagedObject old, ProtocolVersion version, Value.Interval offset) {
    long begins = custody.clock().instant().getEpochSecond() + offset.seconds();
    long began =
        old.attributes().first(Attributes.named(PERIODS.getFirst()))
                instanceof Value.DateTime(long seconds)
            ? seconds
            : begins;
    List<AttributeValue> dates = new ArrayList<>();
    dates.add(date(PERIODS.getFirst(), begins));
    for (String name : PERIODS.subList(1, PERIODS.size())) {
      if (old.attributes().first(Attributes.named(name)) instanceof Value.DateTime(long seconds)) {
        dates.add(date(name, begins + seconds - began));
      }
    }
    return new Template(dates, version);
  }

  private static AttributeValue date(String name, long seconds) {
    return new AttributeValue(Attributes.named(name), null, new Value.DateTime(seconds));
  }

  private static boolean isKept(AttributeName name) {
    return !OWN.contains(name.toString());
  }

  /** The names are the new key's now, so that who asks by name finds that. */
  private void replaced(KmipCaller owner, ManagedObject old, UUID by) {
    var _ =
        custody
            .objects()
            .change(
                "Re-key (replaced)",
                owner.name(),
                old.id(),
                before -> {
                  Attributes unnamed =
                      before.attributes().first(Attributes.named("Name")) != null
                          ? before.attributes().deleteAll(Attributes.named("Name"))
                          : before.attributes();
                  return NewObjects.linked(before.with(unnamed), "ReplacementObjectLink", by);
                });
  }
}

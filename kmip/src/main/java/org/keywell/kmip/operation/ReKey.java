package org.keywell.kmip.operation;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Re-key} and {@code Re-key Key Pair}: a new key in the place of another. */
record ReKey(Custody custody) {

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
          "Fresh",
          "Always Sensitive",
          "Never Extractable",
          Secrecy.STAYED.toString());

  List<Item> key(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Interval offset = fields.optional("Offset", Value.Interval.class);
    Template given = Template.take(call, "TemplateAttribute", "Attributes");
    UUID id = Identifiers.take(call);
    fields.end();
    ManagedObject old = custody.read(call.caller(), id);
    requireReplaceable(old, ObjectType.SYMMETRIC_KEY);
    ManagedObject made = new Create(custody).make(call.caller(), replacing(old, given, offset));
    custody.add("Re-key", call, made, replaced(call.caller(), old, made));
    return Identifiers.answer(made).items();
  }

  List<Item> pair(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    UUID id =
        fields.optional("PrivateKeyUniqueIdentifier", Value.Text.class)
                instanceof Value.Text(String text)
            ? Identifiers.parse(text)
            : Identifiers.take(call);
    Value.@Nullable Interval offset = fields.optional("Offset", Value.Interval.class);
    KeyPairTemplates given = KeyPairTemplates.take(call);
    fields.end();
    ManagedObject oldPrivate = custody.read(call.caller(), id);
    requireReplaceable(oldPrivate, ObjectType.PRIVATE_KEY);
    @Nullable UUID half = Links.find(oldPrivate, "PublicKeyLink");
    if (half == null) {
      throw new KmipException("ObjectNotFound", "the key has no public half here");
    }
    ManagedObject oldPublic = custody.read(call.caller(), half);
    requireReplaceable(oldPublic, ObjectType.PUBLIC_KEY);
    KeyPairTemplates templates =
        new KeyPairTemplates(
            replacing(oldPrivate, given.ofPrivate(), offset),
            replacing(oldPublic, given.ofPublic(), offset));
    return new CreateKeyPair(custody)
        .create(
            "Re-key Key Pair",
            call.caller(),
            templates,
            made ->
                replaced(call.caller(), oldPrivate, made.privateKey())
                    .and(replaced(call.caller(), oldPublic, made.publicKey())))
        .answer(call);
  }

  private static void requireReplaceable(ManagedObject old, ObjectType type) {
    if (old.type() != type) {
      throw new KmipException("InvalidObjectType", "the object is no " + type.label());
    }
    if (Links.find(old, "ReplacementObjectLink") != null) {
      throw new KmipException("PermissionDenied", "the key was replaced before");
    }
    if (old.material() == null) {
      throw new KmipException("ObjectDestroyed", "the key was destroyed");
    }
  }

  /**
   * Returns the old key's attributes and a link to it, with those that the client gives. With an
   * offset, the new key becomes active that long from now, and its other dates are as far from that
   * as the old key's.
   */
  private Template replacing(ManagedObject old, Template given, Value.@Nullable Interval offset) {
    Attributes kept = old.attributes().without(each -> OWN.contains(each.name().toString()));
    Attributes moved = offset == null ? kept : moved(kept, offset);
    Attributes linked = Links.add(moved, "ReplacedObjectLink", old.id());
    Attributes _ = given.attributes(old.type());
    return new Template(linked, null).with(given);
  }

  private Attributes moved(Attributes kept, Value.Interval offset) {
    long begins = custody.now().getEpochSecond() + offset.seconds();
    var activation = kept.first(PERIODS.getFirst(), Value.DateTime.class);
    long began = activation == null ? begins : activation.seconds();
    Attributes moved = kept.set(PERIODS.getFirst(), new Value.DateTime(begins));
    for (String name : PERIODS.subList(1, PERIODS.size())) {
      if (kept.first(name, Value.DateTime.class) instanceof Value.DateTime(long seconds)) {
        moved = moved.set(name, new Value.DateTime(begins + seconds - began));
      }
    }
    return moved;
  }

  /**
   * Written with the new key: the old one is replaced once, though others may have read it too. The
   * names are the new key's then, so that who asks by name finds that.
   */
  private InTransaction replaced(KmipCaller owner, ManagedObject old, ManagedObject by) {
    return custody.alsoChange(
        "Re-key (replaced)",
        owner,
        old.id(),
        before -> {
          requireReplaceable(before, old.type());
          Attributes attributes =
              before.attributes().without(each -> each.name().equals(Attributes.named("Name")));
          return before.with(Links.add(attributes, "ReplacementObjectLink", by.id()));
        });
  }
}

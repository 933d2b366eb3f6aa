package org.keywell.kmip.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Returns an object: in clear if the operator's policy allows, else wrapped. */
final class Get implements OperationHandler<KmipCaller> {

  private static final Tag FORMAT = Tag.named("KeyFormatType");
  private static final Tag COMPRESSION = Tag.named("KeyCompressionType");
  private static final Tag WRAP_TYPE = Tag.named("KeyWrapType");
  private static final Tag WRAPPING = Tag.named("KeyWrappingSpecification");

  private final Custody custody;
  private final KeyWrap wrapping;

  Get(Custody custody) {
    this.custody = custody;
    this.wrapping = new KeyWrap(custody);
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Enumerated format = fields.optional(FORMAT, Value.Enumerated.class);
    if (fields.optional(COMPRESSION, Value.Enumerated.class) != null) {
      throw new KmipException(
          ResultReason.named("KeyCompressionTypeNotSupported"), "keys are not compressed here");
    }
    Value.@Nullable Structure wrapped = fields.optional(WRAPPING, Value.Structure.class);
    if (fields.optional(WRAP_TYPE, Value.Enumerated.class) instanceof Value.Enumerated(int type)
        && type != 1) {
      throw new KmipException(
          ResultReason.named("KeyWrapTypeNotSupported"), "objects are not kept as registered");
    }
    ManagedObject object = custody.use("Get", call, fields);
    if (object.material() == null) {
      throw new KmipException(
          ResultReason.named("ObjectDestroyed"), "the object's material was destroyed");
    }
    String wanted = format == null ? null : KeyBlock.name(FORMAT, format, call.version());
    Item content =
        wrapped == null ? plain(object, wanted) : wrapping.of(call, object, wanted, wrapped);
    return List.of(ObjectTypes.item(object.type()), Identifiers.item(object.id()), content);
  }

  private Item plain(ManagedObject object, @Nullable String format) {
    return switch (object.type()) {
      case CERTIFICATE ->
          structure(
              object,
              Tag.named("CertificateType").item("X_509"),
              Tag.named("CertificateValue").item(new Value.Bytes(encoded(object))));
      case PUBLIC_KEY -> structure(object, Formats.publicKey(object, encoded(object), format));
      case PRIVATE_KEY -> {
        requireAllowed(object, custody.exports().privateKeys());
        yield structure(object, Formats.privateKey(object, reveal(object), format));
      }
      case SYMMETRIC_KEY -> {
        requireAllowed(object, custody.exports().secrets());
        yield structure(object, Formats.symmetric(object, reveal(object), format));
      }
      case SECRET_DATA -> {
        requireAllowed(object, custody.exports().secrets());
        yield structure(
            object, Subtypes.secretData(object), Formats.opaque(reveal(object), format));
      }
      case OPAQUE_OBJECT ->
          structure(
              object,
              Subtypes.opaqueData(object),
              Tag.named("OpaqueDataValue").item(new Value.Bytes(reveal(object))));
    };
  }

  static Item structure(ManagedObject object, Item... content) {
    return Tag.named(object.type().label()).item(List.of(content));
  }

  private static byte[] encoded(ManagedObject object) {
    if (object.material() instanceof Material.Plain(byte[] encoded)) {
      return encoded;
    }
    throw new IllegalStateException("a public object is not kept in clear");
  }

  private byte[] reveal(ManagedObject object) {
    return custody.keys().reveal(custody.blob(object));
  }

  /** The policy, and what the owner has said of this key. */
  static void requireAllowed(ManagedObject object, boolean allowed) {
    requireExtractable(object);
    if (object.attributes().first(Attributes.named("Sensitive"))
            instanceof Value.Bool(boolean sensitive)
        && sensitive) {
      throw new KmipException(ResultReason.named("Sensitive"), "the key is sensitive: wrap it");
    }
    if (!allowed) {
      throw new KmipException(
          ResultReason.named("PermissionDenied"),
          object.type() == ObjectType.PRIVATE_KEY
              ? "private keys do not leave the HSM in clear (keywell.kmip.private-keys-leave)"
              : "secrets do not leave the HSM in clear (keywell.kmip.clear-keys-leave)");
    }
  }

  static void requireExtractable(ManagedObject object) {
    if (object.attributes().first(Attributes.named("Extractable"))
            instanceof Value.Bool(boolean extractable)
        && !extractable) {
      throw new KmipException(ResultReason.named("NotExtractable"), "the key is not extractable");
    }
  }
}

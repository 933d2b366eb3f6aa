package org.keywell.kmip.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Returns an object: in clear if the operator's policy allows, else wrapped. */
record Get(Custody custody) implements OperationHandler<KmipCaller> {

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    @Nullable String format = fields.choiceIfAny("KeyFormatType");
    @Nullable String compression = fields.choiceIfAny("KeyCompressionType");
    var wrapping = fields.optional("KeyWrappingSpecification", Value.Structure.class);
    @Nullable String wrapType = fields.choiceIfAny("KeyWrapType");
    if (wrapType != null && !wrapType.equals("NotWrapped")) {
      throw new KmipException("KeyWrapTypeNotSupported", "objects are not kept as registered");
    }
    ManagedObject object = custody.use("Get", call);
    KeyBlock.requireUncompressed(object.type(), compression);
    if (object.material() == null) {
      throw new KmipException("ObjectDestroyed", "the object's material was destroyed");
    }
    return new FieldsBuilder()
        .add("ObjectType", object.type().attribute())
        .id("UniqueIdentifier", object.id())
        .add(
            wrapping == null
                ? plain(object, format)
                : new KeyWrap(custody).of(call, object, format, wrapping))
        .items();
  }

  private Item plain(ManagedObject object, @Nullable String format) {
    requireAllowed(object);
    byte[] content =
        object.material() instanceof Material.Plain(byte[] encoded)
            ? encoded
            : custody.keys().reveal(custody.blob(object));
    FieldsBuilder fields = new FieldsBuilder();
    switch (object.type()) {
      case CERTIFICATE ->
          fields.choice("CertificateType", "X_509").bytes("CertificateValue", content);
      case OPAQUE_OBJECT ->
          fields
              .add("OpaqueDataType", object.attributes().first(Register.OPAQUE_DATA_TYPE))
              .bytes("OpaqueDataValue", content);
      case SECRET_DATA ->
          fields
              .add("SecretDataType", object.attributes().first(Register.SECRET_DATA_TYPE))
              .add(KeyBlock.of(object, content, format).item());
      case SYMMETRIC_KEY, PRIVATE_KEY, PUBLIC_KEY ->
          fields.add(KeyBlock.of(object, content, format).item());
    }
    return fields.in(object.type().label());
  }

  /** The policy, and what the owner has said of this key. */
  private void requireAllowed(ManagedObject object) {
    if (object.type().isPublic()) {
      return;
    }
    Secrecy.requireExtractable(object);
    if (new Value.Bool(true).equals(object.attributes().first("Sensitive", Value.class))) {
      throw new KmipException("Sensitive", "the key is sensitive: wrap it");
    }
    if (!custody.exports().allows(object.type())) {
      throw new KmipException(
          "PermissionDenied",
          object.type() == ObjectType.PRIVATE_KEY
              ? "private keys do not leave the HSM in clear (keywell.kmip.private-keys-leave)"
              : "secrets do not leave the HSM in clear (keywell.kmip.clear-keys-leave)");
    }
    new Secrecy(custody).leaves(object);
  }
}

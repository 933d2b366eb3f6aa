package org.keywell.kmip.operation;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import org.keywell.keypool.hsm.pkcs11.ManagedKeys;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Takes an object that a client has: what is secret goes into the HSM and comes out wrapped. */
final class Register implements OperationHandler<KmipCaller> {

  private static final Tag SECRET_DATA_TYPE = Tag.named("SecretDataType");
  private static final Tag OPAQUE_DATA_TYPE = Tag.named("OpaqueDataType");
  private static final Tag OPAQUE_DATA_VALUE = Tag.named("OpaqueDataValue");
  private static final Tag CERTIFICATE_TYPE = Tag.named("CertificateType");
  private static final Tag CERTIFICATE_VALUE = Tag.named("CertificateValue");
  private static final int BYTE = 8;

  /** By which RFC 3394 makes a key longer. */
  private static final int WRAPPING_BYTES = 8;

  private final Custody custody;
  private final KeyWrap wrapping;

  Register(Custody custody) {
    this.custody = custody;
    this.wrapping = new KeyWrap(custody);
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    ObjectType type = ObjectTypes.take(fields);
    Template template = Template.take(call, fields, "TemplateAttribute", "Attributes");
    Tag tag = Tag.named(type.label());
    Fields content = new Fields(tag, fields.required(tag, Value.Structure.class), call.version());
    fields.end();
    ManagedObject object = register(call.caller(), type, template.attributes(type), content);
    content.end();
    custody.objects().insert("Register", List.of(object), InTransaction.NOTHING);
    call.batch().setIdPlaceholder(object.id().toString());
    return List.of(Identifiers.item(object.id()));
  }

  private ManagedObject register(
      KmipCaller owner, ObjectType type, Attributes given, Fields content) {
    NewObjects objects = new NewObjects(custody.clock());
    return switch (type) {
      case SYMMETRIC_KEY -> symmetricKey(objects, owner, given, content);
      case PRIVATE_KEY -> {
        byte[] pkcs8 = pkcs8(KeyBlock.take(content, content.version()));
        KeyForms.Kind kind = KeyForms.ofPrivate(pkcs8);
        yield objects.key(owner, type, given, kind.algorithm(), kind.bits(), stored(pkcs8));
      }
      case PUBLIC_KEY -> {
        byte[] info = info(KeyBlock.take(content, content.version()));
        KeyForms.Kind kind = KeyForms.ofPublic(info);
        yield objects.key(
            owner, type, given, kind.algorithm(), kind.bits(), new Material.Plain(info));
      }
      case CERTIFICATE -> certificate(objects, owner, given, content);
      case SECRET_DATA -> {
        Value kind = content.required(SECRET_DATA_TYPE, Value.Enumerated.class);
        KeyBlock block = KeyBlock.take(content, content.version());
        yield objects.object(
            owner,
            type,
            given.add(Subtypes.SECRET_DATA_TYPE, kind),
            stored(requireUnwrapped(block).material()));
      }
      case OPAQUE_OBJECT -> {
        Value kind = content.required(OPAQUE_DATA_TYPE, Value.Enumerated.class);
        byte[] value = content.required(OPAQUE_DATA_VALUE, Value.Bytes.class).value();
        yield objects.object(
            owner, type, given.add(Subtypes.OPAQUE_DATA_TYPE, kind), stored(value));
      }
    };
  }

  private ManagedObject symmetricKey(
      NewObjects objects, KmipCaller owner, Attributes given, Fields content) {
    KeyBlock block = KeyBlock.take(content, content.version());
    if (!block.format().equals("Raw")) {
      throw new KmipException(
          ResultReason.named("KeyFormatTypeNotSupported"),
          "symmetric keys are registered as raw or transparent ones, not " + block.format());
    }
    int bytes = block.material().length - (block.wrapping() == null ? 0 : WRAPPING_BYTES);
    Material material =
        block.wrapping() == null
            ? stored(block.material())
            : wrapping.in(owner, block.wrapping(), content.version(), block.material());
    return objects.key(
        owner,
        ObjectType.SYMMETRIC_KEY,
        given,
        required(block),
        consistent(block, bytes * BYTE),
        material);
  }

  private Material stored(byte[] content) {
    if (content.length == 0 || content.length > ManagedKeys.MAX_CONTENT_BYTES) {
      throw new KmipException(
          ResultReason.named("ServerLimitExceeded"),
          "an object has 1 to %d bytes".formatted(ManagedKeys.MAX_CONTENT_BYTES));
    }
    return custody.wrapped(custody.keys().store(content));
  }

  private static ManagedObject certificate(
      NewObjects objects, KmipCaller owner, Attributes given, Fields content) {
    Value.Enumerated kind = content.required(CERTIFICATE_TYPE, Value.Enumerated.class);
    byte[] encoded = content.required(CERTIFICATE_VALUE, Value.Bytes.class).value();
    if (kind.value() != Enumerations.named("CertificateType", "X_509").bits()) {
      throw new KmipException(
          ResultReason.FEATURE_NOT_SUPPORTED, "the only certificates are those of X.509");
    }
    try {
      var _ =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      KmipException invalid =
          new KmipException(ResultReason.INVALID_FIELD, "CertificateValue is no certificate");
      invalid.initCause(e);
      throw invalid;
    }
    return objects.object(
        owner,
        ObjectType.CERTIFICATE,
        given
            .set(Attributes.named("Certificate Type"), kind)
            .set(Attributes.named("Certificate Length"), new Value.Int(encoded.length)),
        new Material.Plain(encoded));
  }

  private static KeyBlock requireUnwrapped(KeyBlock block) {
    if (block.wrapping() != null) {
      throw new KmipException(
          ResultReason.FEATURE_NOT_SUPPORTED, "only symmetric keys are registered wrapped");
    }
    return block;
  }

  private static String required(KeyBlock block) {
    if (block.algorithm() == null) {
      throw new KmipException(
          ResultReason.named("MissingData"), "KeyBlock lacks CryptographicAlgorithm");
    }
    return block.algorithm();
  }

  private static int consistent(KeyBlock block, int bits) {
    // A DES key's length does not count its parity bits.
    boolean parity = "DES".equals(block.algorithm()) || "DES3".equals(block.algorithm());
    if (block.bits() != 0 && block.bits() != bits && !parity) {
      throw new KmipException(
          ResultReason.INVALID_FIELD,
          "CryptographicLength is %d, the key has %d bits".formatted(block.bits(), bits));
    }
    return block.bits() == 0 ? bits : block.bits();
  }

  private static byte[] pkcs8(KeyBlock block) {
    return switch (requireUnwrapped(block).format()) {
      case "PKCS_8" -> block.material();
      case "PKCS_1" -> KeyForms.pkcs8OfRsa(block.material());
      case "ECPrivateKey" -> KeyForms.pkcs8OfEc(block.material());
      default ->
          throw new KmipException(
              ResultReason.named("KeyFormatTypeNotSupported"),
              "private keys are registered as PKCS#8, PKCS#1 or EC private key, not "
                  + block.format());
    };
  }

  private static byte[] info(KeyBlock block) {
    return switch (requireUnwrapped(block).format()) {
      case "X_509" -> block.material();
      case "PKCS_1" -> KeyForms.infoOfRsa(block.material());
      default ->
          throw new KmipException(
              ResultReason.named("KeyFormatTypeNotSupported"),
              "public keys are registered as X.509 or PKCS#1, not " + block.format());
    };
  }
}

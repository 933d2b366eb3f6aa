package org.keywell.kmip.operation;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.naming.InvalidNameException;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.ManagedKeys;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Takes an object that a client has: what is secret goes into the HSM and comes out wrapped. */
record Register(Custody custody) implements OperationHandler<KmipCaller> {

  /** What KMIP 1.x says in an object's structure only. */
  static final AttributeName SECRET_DATA_TYPE = AttributeName.Vendor.servers("Secret Data Type");

  static final AttributeName OPAQUE_DATA_TYPE = AttributeName.Vendor.servers("Opaque Data Type");

  private static final int BYTE = 8;

  /** As many as the database takes. */
  private static final int MAX_CERTIFICATE_BYTES = 64 << 10;

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    ObjectType type = ObjectType.take(fields);
    Template template = Template.take(call, "TemplateAttribute", "Attributes");
    Fields content = fields.inside(type.label());
    fields.end();
    NewObjects objects = new NewObjects(custody, call.caller());
    ManagedObject object = register(objects, type, template.attributes(type), content);
    content.end();
    custody.add("Register", call, object);
    return Identifiers.answer(object).items();
  }

  private ManagedObject register(
      NewObjects objects, ObjectType type, Attributes given, Fields content) {
    return switch (type) {
      case SYMMETRIC_KEY -> symmetricKey(objects, given, content);
      case PRIVATE_KEY -> {
        byte[] pkcs8 = pkcs8(unwrapped(type, content));
        KeyForms.Kind kind = KeyForms.ofPrivate(pkcs8);
        yield objects.key(type, given, kind.algorithm(), kind.bits(), stored(pkcs8));
      }
      case PUBLIC_KEY -> {
        byte[] info = info(unwrapped(type, content));
        KeyForms.Kind kind = KeyForms.ofPublic(info);
        Material material = new Material.Plain(info);
        yield objects.key(type, given, kind.algorithm(), kind.bits(), material);
      }
      case CERTIFICATE -> certificate(objects, given, content);
      case SECRET_DATA -> {
        Value kind = content.required("SecretDataType", Value.Enumerated.class);
        Material material = stored(unwrapped(type, content).material());
        yield objects.object(type, given.add(SECRET_DATA_TYPE, kind), material);
      }
      case OPAQUE_OBJECT -> {
        Value kind = content.required("OpaqueDataType", Value.Enumerated.class);
        Material material = stored(content.bytes("OpaqueDataValue"));
        yield objects.object(type, given.add(OPAQUE_DATA_TYPE, kind), material);
      }
    };
  }

  private ManagedObject symmetricKey(NewObjects objects, Attributes given, Fields content) {
    KeyBlock block = KeyBlock.take(ObjectType.SYMMETRIC_KEY, content);
    if (!block.format().equals("Raw")) {
      throw new KmipException(
          "KeyFormatTypeNotSupported",
          "symmetric keys are registered as raw or transparent ones, not " + block.format());
    }
    if (block.algorithm() == null) {
      throw new KmipException("MissingData", "KeyBlock lacks CryptographicAlgorithm");
    }
    boolean wrapped = block.wrapping() != null;
    int bytes = block.material().length - (wrapped ? ManagedKeys.WRAPPING_BYTES : 0);
    int bits = consistent(block, bytes * BYTE);
    if (block.algorithm().equals("AES") && !Create.AES_BITS.contains(bits)) {
      throw new KmipException("InvalidField", "no AES key has %d bits".formatted(bits));
    }
    Value.@Nullable Structure wrapping = block.wrapping();
    KeyWrap.Unwrapped key =
        wrapping == null
            ? new KeyWrap.Unwrapped(stored(block.material()), false)
            : new KeyWrap(custody)
                .in(objects.owner(), wrapping, content.version(), block.material());
    Attributes attributes = key.kept() ? kept(given) : given;
    return objects.key(
        ObjectType.SYMMETRIC_KEY, attributes, block.algorithm(), bits, key.material());
  }

  /** It may be a private key, which would leave as a symmetric one otherwise. */
  private static Attributes kept(Attributes given) {
    Value no = new Value.Bool(false);
    if (given.has("Extractable") && !given.contains(Attributes.named("Extractable"), no)) {
      throw new KmipException(
          "InvalidAttributeValue", "what a key unwraps that is not Extractable is not, either");
    }
    return given.set("Extractable", no);
  }

  private Material stored(byte[] content) {
    return custody.wrapped(custody.store(content));
  }

  private static ManagedObject certificate(NewObjects objects, Attributes given, Fields content) {
    Value.Enumerated kind = content.required("CertificateType", Value.Enumerated.class);
    byte[] encoded = content.bytes("CertificateValue");
    if (!kind.equals(Tag.named("CertificateType").item("X_509").value())) {
      throw new KmipException("FeatureNotSupported", "the only certificates are those of X.509");
    }
    Custody.requireSize("a certificate", encoded, 1, MAX_CERTIFICATE_BYTES);
    Attributes named;
    try {
      var certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(encoded));
      named = CertificateNames.add(given, certificate);
    } catch (CertificateException | InvalidNameException | RuntimeException e) {
      throw new KmipException("InvalidField", "CertificateValue is no certificate", e);
    }
    return objects.object(
        ObjectType.CERTIFICATE,
        named
            .set("Certificate Type", kind)
            .set("Certificate Length", new Value.Int(encoded.length)),
        new Material.Plain(encoded));
  }

  private static KeyBlock unwrapped(ObjectType type, Fields content) {
    KeyBlock block = KeyBlock.take(type, content);
    if (block.wrapping() != null) {
      throw new KmipException("FeatureNotSupported", "only symmetric keys are registered wrapped");
    }
    return block;
  }

  private static int consistent(KeyBlock block, int bits) {
    // A DES key's length does not count its parity bits.
    boolean parity = "DES".equals(block.algorithm()) || "DES3".equals(block.algorithm());
    if (block.bits() != 0 && block.bits() != bits && !parity) {
      throw new KmipException(
          "InvalidField",
          "CryptographicLength is %d, the key has %d bits".formatted(block.bits(), bits));
    }
    return block.bits() == 0 ? bits : block.bits();
  }

  private static byte[] pkcs8(KeyBlock block) {
    return switch (block.format()) {
      case "PKCS_8" -> block.material();
      case "PKCS_1" -> KeyForms.pkcs8OfRsa(block.material());
      case "ECPrivateKey" -> KeyForms.pkcs8OfEc(block.material());
      default ->
          throw new KmipException(
              "KeyFormatTypeNotSupported",
              "private keys are registered as PKCS#8, PKCS#1 or EC private key, not "
                  + block.format());
    };
  }

  private static byte[] info(KeyBlock block) {
    return switch (block.format()) {
      case "X_509" -> block.material();
      case "PKCS_1" -> KeyForms.infoOfRsa(block.material());
      default ->
          throw new KmipException(
              "KeyFormatTypeNotSupported",
              "public keys are registered as X.509 or PKCS#1, not " + block.format());
    };
  }
}

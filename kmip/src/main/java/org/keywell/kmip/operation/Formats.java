package org.keywell.kmip.operation;

import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Keys in the formats that clients ask for (KMIP, section "Default Key Format Type"). */
final class Formats {

  private Formats() {}

  static Item symmetric(ManagedObject key, byte[] value, @Nullable String format) {
    return block(key, symmetricBlock(value, format)).item();
  }

  static KeyBlock symmetricBlock(byte[] value, @Nullable String format) {
    return switch (format) {
      case null -> plain("Raw", value);
      case "Raw", "TransparentSymmetricKey" -> plain(format, value);
      default -> throw unsupported(format);
    };
  }

  static Item privateKey(ManagedObject key, byte[] pkcs8, @Nullable String format) {
    return block(key, privateBlock(isRsa(key), pkcs8, format)).item();
  }

  static KeyBlock privateBlock(boolean rsa, byte[] pkcs8, @Nullable String format) {
    String inner = rsa ? "PKCS_1" : "ECPrivateKey";
    return switch (format == null ? inner : format) {
      case "PKCS_8" -> plain("PKCS_8", pkcs8);
      case String same when same.equals(inner) -> plain(inner, KeyForms.inner(pkcs8));
      default -> throw unsupported(format);
    };
  }

  static Item publicKey(ManagedObject key, byte[] info, @Nullable String format) {
    boolean rsa = isRsa(key);
    String wanted = format == null ? (rsa ? "PKCS_1" : "X_509") : format;
    KeyBlock block;
    if (wanted.equals("X_509")) {
      block = plain(wanted, info);
    } else if (rsa && wanted.equals("PKCS_1")) {
      block = plain(wanted, KeyForms.rsaPublicKey(info));
    } else {
      throw unsupported(wanted);
    }
    return block(key, block).item();
  }

  static Item opaque(byte[] value, @Nullable String format) {
    return switch (format) {
      case null -> plain("Opaque", value).item();
      case "Opaque", "Raw" -> plain(format, value).item();
      default -> throw unsupported(format);
    };
  }

  /** Returns the block with what the object's attributes say of it. */
  static KeyBlock block(ManagedObject key, KeyBlock block) {
    int bits =
        key.attributes().first(Attributes.named("Cryptographic Length"))
                instanceof Value.Int(int length)
            ? length
            : 0;
    return new KeyBlock(block.format(), block.material(), algorithm(key), bits, block.wrapping());
  }

  static @Nullable String algorithm(ManagedObject key) {
    if (key.attributes().first(Attributes.named("Cryptographic Algorithm"))
        instanceof Value.Enumerated(int bits)) {
      var named = Enumerations.valued("CryptographicAlgorithm", bits, ProtocolVersion.V2_1);
      return named == null ? null : named.name();
    }
    return null;
  }

  private static boolean isRsa(ManagedObject key) {
    return "RSA".equals(algorithm(key));
  }

  private static KeyBlock plain(String format, byte[] material) {
    return new KeyBlock(format, material, null, 0, null);
  }

  private static KmipException unsupported(@Nullable String format) {
    return new KmipException(
        ResultReason.named("KeyFormatTypeNotSupported"), "such an object has no form " + format);
  }
}

package org.keywell.kmip.operation;

import java.util.UUID;
import java.util.function.UnaryOperator;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.ttlv.Value;

/**
 * Which keys no client can know: those that were made in the HSM and have not left it since, in any
 * form. What must not leave in clear is wrapped under such a key only, which never leaves then.
 */
record Secrecy(Custody custody) {

  /** Of a key that no client can know. What lacks it may be known. */
  static final AttributeName STAYED = AttributeName.Vendor.servers("Stayed");

  private static final Value NO = new Value.Bool(false);

  /** Whoever may decrypt with a key undoes its wrapping himself (RFC 3394, section 2.2.2). */
  private static final int ONLY_WRAPS =
      Enumerations.named("CryptographicUsageMask", "WrapKey").bits()
          | Enumerations.named("CryptographicUsageMask", "UnwrapKey").bits();

  /** Requires that a key may leave, and notes that it does, before it has. */
  void leaves(ManagedObject key) {
    requireExtractable(key);
    if (key.attributes().first(STAYED) != null) {
      change(
          "Get (leaves)",
          key,
          before -> {
            requireExtractable(before);
            return before.with(before.attributes().without(each -> each.name().equals(STAYED)));
          });
    }
  }

  static void requireExtractable(ManagedObject key) {
    if (isKept(key)) {
      throw new KmipException("NotExtractable", "the key is not extractable");
    }
  }

  /** Tells whether a key never leaves, not even wrapped. */
  static boolean isKept(ManagedObject key) {
    return NO.equals(key.attributes().first(Attributes.named("Extractable")));
  }

  /** Requires that no client can know a wrapping key, and takes care that none ever does. */
  void keep(ManagedObject wrappingKey) {
    requireUnknown(wrappingKey);
    if (!isKept(wrappingKey)) {
      change(
          "WrapKey (kept)",
          wrappingKey,
          before -> {
            requireUnknown(before);
            return before.with("Extractable", NO);
          });
    }
  }

  private static void requireUnknown(ManagedObject key) {
    if (key.attributes().first(STAYED) == null) {
      throw new KmipException(
          "PermissionDenied",
          "what does not leave the HSM in clear is wrapped under keys only that were made in it"
              + " and never left it");
    }
    if ((key.attributes().number("Cryptographic Usage Mask") & ~ONLY_WRAPS) != 0) {
      throw new KmipException(
          "IncompatibleCryptographicUsageMask",
          "what does not leave the HSM in clear is wrapped under keys only that do nothing else");
    }
  }

  private void change(String operation, ManagedObject key, UnaryOperator<ManagedObject> change) {
    UUID id = key.id();
    ManagedObject _ = custody.objects().change(operation, key.owner(), id, custody.dated(change));
  }
}

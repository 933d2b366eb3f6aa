package org.keywell.kmip.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;

/**
 * The column {@code search}: a number for each value that clients look objects up by. It is the
 * first eight bytes of SHA-256 over the attribute's name, a zero, and the value in TTLV; two values
 * can have the same, so what the index finds is compared.
 */
final class SearchTerms {

  private static final Set<AttributeName> INDEXED =
      Stream.of(
              "Name",
              "Object Group",
              "Application Specific Information",
              "Contact Information",
              "Link")
          .map(Attributes::named)
          .collect(Collectors.toUnmodifiableSet());

  private SearchTerms() {}

  /** Returns the terms of those values that are indexed, without duplicates, in ascending order. */
  static Long[] of(Collection<AttributeValue> attributes) {
    MessageDigest sha256 = sha256();
    return attributes.stream()
        .filter(each -> isIndexed(each.name()))
        .map(each -> term(sha256, each))
        .distinct()
        .sorted()
        .toArray(Long[]::new);
  }

  private static boolean isIndexed(AttributeName name) {
    return name instanceof AttributeName.Vendor || INDEXED.contains(name);
  }

  private static Long term(MessageDigest sha256, AttributeValue attribute) {
    sha256.update(attribute.name().toString().getBytes(UTF_8));
    sha256.update((byte) 0);
    Item value = Tag.named("AttributeValue").item(attribute.value());
    return ByteBuffer.wrap(sha256.digest(TtlvWriter.write(value))).getLong();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

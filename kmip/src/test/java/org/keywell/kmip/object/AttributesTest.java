package org.keywell.kmip.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.kmip.object.SampleObjects.CUSTOM;
import static org.keywell.kmip.object.SampleObjects.LENGTH;
import static org.keywell.kmip.object.SampleObjects.NAME;
import static org.keywell.kmip.object.SampleObjects.name;

import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.ttlv.Value;

final class AttributesTest {

  private static final Attributes THREE =
      Attributes.NONE
          .add(NAME, name("a"))
          .add(LENGTH, new Value.Int(256))
          .add(NAME, name("b"))
          .add(NAME, name("c"));

  @Test
  void indicesGoOnFromTheHighest() {
    assertThat(THREE.get(NAME)).extracting(AttributeValue::index).containsExactly(0, 1, 2);
    Attributes gap = THREE.delete(NAME, 1);
    assertThat(gap.get(NAME)).extracting(AttributeValue::index).containsExactly(0, 2);

    assertThat(gap.add(NAME, name("d")).get(NAME))
        .containsExactly(
            new AttributeValue(NAME, 0, name("a")),
            new AttributeValue(NAME, 2, name("c")),
            new AttributeValue(NAME, 3, name("d")));
    assertThat(THREE.get(LENGTH)).extracting(AttributeValue::index).containsOnlyNulls();
    assertThat(names(THREE)).containsExactly(NAME, LENGTH);
  }

  private static List<AttributeName> names(Attributes attributes) {
    return attributes.all().stream().map(AttributeValue::name).distinct().toList();
  }

  @Test
  void valuesAreReplacedInTheirPlace() {
    Attributes changed = THREE.modify(NAME, 1, name("B")).modify(LENGTH, null, new Value.Int(128));

    assertThat(changed.get(NAME)).contains(new AttributeValue(NAME, 1, name("B")));
    assertThat(changed.first("Cryptographic Length", Value.Int.class))
        .isEqualTo(new Value.Int(128));
    assertThat(changed.all()).extracting(AttributeValue::name).startsWith(NAME, LENGTH);
    assertThat(THREE.first(LENGTH)).as("the former object").isEqualTo(new Value.Int(256));
    assertThat(THREE.modify(NAME, null, name("A")).first(NAME)).isEqualTo(name("A"));
    assertThat(THREE.set(LENGTH, new Value.Int(1)).get(LENGTH)).hasSize(1);
    assertThat(Attributes.NONE.set(LENGTH, new Value.Int(1)).get(LENGTH)).hasSize(1);
    assertThat(THREE.find(NAME, name("c"))).isEqualTo(2);
    assertThat(THREE.find(LENGTH, new Value.Int(256))).isNull();
  }

  @Test
  void valuesAreDeletedOneByOneOrTogether() {
    assertThat(THREE.delete(NAME, null).get(NAME))
        .extracting(AttributeValue::index)
        .containsExactly(1, 2);
    assertThat(THREE.deleteAll(NAME).all())
        .containsExactly(new AttributeValue(LENGTH, null, new Value.Int(256)));
    assertThat(names(THREE.delete(LENGTH, 0))).containsExactly(NAME);
  }

  @Test
  void refusalsHaveTheirReasons() {
    AttributeName comment = Attributes.named("Comment");
    Value text = new Value.Text("x");
    refused("AttributeSingleValued", () -> THREE.add(LENGTH, new Value.Int(1)));
    refused("MultiValuedAttribute", () -> THREE.set(NAME, name("x")));
    refused("AttributeNotFound", () -> THREE.modify(comment, null, text));
    refused("AttributeNotFound", () -> THREE.delete(comment, 0));
    refused("AttributeNotFound", () -> THREE.deleteAll(comment));
    refused("AttributeNotFound", () -> THREE.find(comment, text));
    refused("AttributeInstanceNotFound", () -> THREE.modify(NAME, 3, name("x")));
    refused("AttributeInstanceNotFound", () -> THREE.delete(LENGTH, 1));
    refused("AttributeInstanceNotFound", () -> THREE.find(NAME, name("x")));
  }

  private static void refused(String reason, ThrowingCallable change) {
    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(change)
        .extracting(e -> e.reason())
        .isEqualTo(reason);
  }

  @Test
  void whatIsEncodedIsDecodedAsEqual() {
    for (int seed = 0; seed < 2_000; seed++) {
      Attributes attributes = SampleObjects.any(seed);

      assertThat(Attributes.decode(attributes.encode())).as("seed %d", seed).isEqualTo(attributes);
    }
  }

  @Test
  void moreThan64KiBAreRefused() {
    int most = StoredAttributes.MOST_BYTES - Attributes.NONE.add(CUSTOM, bytes(0)).encode().length;

    assertThat(Attributes.NONE.add(CUSTOM, bytes(most)).encode())
        .hasSize(StoredAttributes.MOST_BYTES);
    refused("ServerLimitExceeded", () -> Attributes.NONE.add(CUSTOM, bytes(most + 1)).encode());
  }

  private static Value bytes(int length) {
    return new Value.Bytes(new byte[length]);
  }

  @Test
  void otherBytesAreNoAttributes() {
    byte[] encoded = THREE.encode();
    assertThatIllegalArgumentException().isThrownBy(() -> Attributes.decode(new byte[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Attributes.decode(Arrays.copyOf(encoded, encoded.length - 8)));
    byte[] unknown = THREE.encode();
    unknown[2] ^= 1;
    assertThatIllegalArgumentException().isThrownBy(() -> Attributes.decode(unknown));
  }

  @Test
  void whatAnObjectsFieldsSayIsNotSaidTwice() {
    ManagedObject key = SampleObjects.key("alice", THREE);

    assertThat(names(key.described()))
        .containsExactly(
            Attributes.UNIQUE_IDENTIFIER, Attributes.OBJECT_TYPE, Attributes.STATE, NAME, LENGTH);
    assertThatIllegalArgumentException().isThrownBy(() -> key.with(key.described()));
  }
}

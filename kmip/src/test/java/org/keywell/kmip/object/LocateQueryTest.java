package org.keywell.kmip.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.kmip.object.SampleObjects.CUSTOM;
import static org.keywell.kmip.object.SampleObjects.INITIAL_DATE;
import static org.keywell.kmip.object.SampleObjects.MASK;
import static org.keywell.kmip.object.SampleObjects.NAME;
import static org.keywell.kmip.object.SampleObjects.name;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.ttlv.Value;

final class LocateQueryTest {

  private static final ManagedObject KEY =
      SampleObjects.key(
          "alice",
          Attributes.NONE
              .add(NAME, name("a"))
              .add(NAME, name("b"))
              .add(MASK, new Value.Int(0b1100))
              .add(INITIAL_DATE, new Value.DateTime(100)));

  @Test
  void allConditionsMustHold() {
    assertThat(matches()).isTrue();
    assertThat(matches(is(NAME, name("b")), is(NAME, name("a")))).isTrue();
    assertThat(matches(is(NAME, name("a")), is(NAME, name("c")))).isFalse();
    assertThat(matches(is(CUSTOM, new Value.Int(1)))).isFalse();
    assertThat(matches(is(Attributes.OBJECT_TYPE, ObjectType.SYMMETRIC_KEY.attribute()))).isTrue();
    assertThat(matches(is(Attributes.OBJECT_TYPE, ObjectType.PUBLIC_KEY.attribute()))).isFalse();
    assertThat(matches(is(Attributes.STATE, State.PRE_ACTIVE.attribute()))).isTrue();
    assertThat(matches(is(Attributes.STATE, State.ACTIVE.attribute()))).isFalse();
    assertThat(matches(is(Attributes.UNIQUE_IDENTIFIER, new Value.Text(KEY.id().toString()))))
        .isTrue();
  }

  @Test
  void theIndexOfAConditionDoesNotMatter() {
    assertThat(matches(new AttributeValue(NAME, 5, name("a")))).isTrue();
  }

  @Test
  void aMaskAsksForItsBits() {
    assertThat(matches(is(MASK, new Value.Int(0b0100)))).isTrue();
    assertThat(matches(is(MASK, new Value.Int(0b1100)))).isTrue();
    assertThat(matches(is(MASK, new Value.Int(0b0110)))).isFalse();
  }

  @Test
  void aDateIsThatSecondAndTwoAreARange() {
    assertThat(matches(date(100))).isTrue();
    assertThat(matches(date(99))).isFalse();
    assertThat(matches(date(100), date(200))).isTrue();
    assertThat(matches(date(200), date(1))).as("in either order").isTrue();
    assertThat(matches(date(101), date(200))).isFalse();
    assertThat(matches(is(Attributes.named("Activation Date"), new Value.DateTime(100))))
        .as("a date that the object does not have")
        .isFalse();
    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(() -> matches(date(1), date(2), date(3)));
  }

  private static AttributeValue date(long seconds) {
    return is(INITIAL_DATE, new Value.DateTime(seconds));
  }

  private static AttributeValue is(AttributeName name, Value value) {
    return new AttributeValue(name, null, value);
  }

  private static boolean matches(AttributeValue... conditions) {
    List<AttributeValue> all = Stream.of(conditions).toList();
    return LocateQuery.of(all, 0, 10).matches(KEY.type(), KEY.state(), KEY.described());
  }
}

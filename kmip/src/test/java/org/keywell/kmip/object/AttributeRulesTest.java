package org.keywell.kmip.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.object.SampleObjects.CUSTOM;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.ttlv.Value;

final class AttributeRulesTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final String FIXED = "WrongKeyLifecycleState";

  private static final ManagedObject PRE_ACTIVE =
      SampleObjects.key(
          "alice",
          Attributes.NONE
              .add(Attributes.named("Protect Stop Date"), new Value.DateTime(1_000))
              .add(Attributes.named("Deactivation Date"), new Value.DateTime(1_001)));
  private static final ManagedObject ACTIVE = PRE_ACTIVE.in(State.ACTIVE);
  private static final ManagedObject DEACTIVATED = ACTIVE.in(State.DEACTIVATED);

  private interface Check {
    void on(AttributeName name, ManagedObject object, Instant now);
  }

  @Test
  void clientsChangeWhatTheSpecificationLetsThem() {
    Check modify = AttributeRules::checkModify;
    assertThat(outcome(modify, "Name", DEACTIVATED)).isEqualTo("may");
    assertThat(outcome(modify, "State", PRE_ACTIVE)).isEqualTo("AttributeReadOnly");
    assertThat(outcome(modify, "Cryptographic Usage Mask", PRE_ACTIVE))
        .isEqualTo("AttributeReadOnly");
    assertThat(outcome(modify, "Activation Date", PRE_ACTIVE)).isEqualTo("may");
    assertThat(outcome(modify, "Activation Date", ACTIVE)).isEqualTo(FIXED);
    assertThat(outcome(modify, "Deactivation Date", ACTIVE)).isEqualTo("may");
    assertThat(outcome(modify, "Deactivation Date", DEACTIVATED)).isEqualTo(FIXED);
    assertThat(outcome(modify, "Protect Stop Date", ACTIVE)).as("reached").isEqualTo(FIXED);
  }

  @Test
  void clientsAddAndDelete() {
    assertThat(outcome(AttributeRules::checkAdd, "Digest", PRE_ACTIVE))
        .isEqualTo("AttributeReadOnly");
    assertThat(outcome(AttributeRules::checkAdd, "Cryptographic Usage Mask", PRE_ACTIVE))
        .isEqualTo("may");
    assertThat(outcome(AttributeRules::checkAdd, "Activation Date", DEACTIVATED)).isEqualTo(FIXED);
    assertThat(outcome(AttributeRules::checkDelete, "Name", ACTIVE)).isEqualTo("may");
    assertThat(outcome(AttributeRules::checkDelete, "Activation Date", PRE_ACTIVE))
        .isEqualTo("AttributeReadOnly");
  }

  /** Every attribute that a client can set is kept, or it is refused. */
  @Test
  void whatIsNotImplementedIsRefused() {
    Set<String> refused = new TreeSet<>();
    for (Attribute each : Attribute.all()) {
      if (each.setBy() != Attribute.SetBy.SERVER
          && outcome(AttributeRules::checkAdd, each.name(), PRE_ACTIVE)
              .equals("UnsupportedAttribute")) {
        refused.add(each.name());
      }
    }
    assertThat(refused)
        .containsExactly(
            "Fresh",
            "Key Value Location",
            "Protection Level",
            "Protection Period",
            "Random Number Generator",
            "Rotate Automatic",
            "Rotate Interval",
            "Rotate Name",
            "Rotate Offset",
            "Usage Limits");
  }

  @Test
  void theServersOwnAttributesAreReadOnly() {
    AttributeName servers = new AttributeName.Vendor("y", "place");
    for (Check each :
        List.<Check>of(
            AttributeRules::checkAdd, AttributeRules::checkModify, AttributeRules::checkDelete)) {
      assertThat(outcome(each, servers, PRE_ACTIVE)).isEqualTo("AttributeReadOnly");
      assertThat(outcome(each, CUSTOM, DEACTIVATED)).isEqualTo("may");
    }
  }

  private static String outcome(Check check, String name, ManagedObject object) {
    return outcome(check, Attributes.named(name), object);
  }

  private static String outcome(Check check, AttributeName name, ManagedObject object) {
    try {
      check.on(name, object, NOW);
      return "may";
    } catch (KmipException e) {
      return e.reason();
    }
  }
}

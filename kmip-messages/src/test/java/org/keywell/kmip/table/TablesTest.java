package org.keywell.kmip.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.ttlv.ItemType;

/** The tables agree with each other. */
final class TablesTest {

  private static final ProtocolVersion V1_1 = new ProtocolVersion(1, 1);
  private static final ProtocolVersion V1_2 = new ProtocolVersion(1, 2);

  @Test
  void spansAreOfKnownVersions() {
    for (Tag tag : Tag.all()) {
      isKnown(tag.span());
      if (tag.enumeration() != null) {
        Enumerations.of(tag.enumeration()).forEach(value -> isKnown(value.span()));
      }
    }
    Attribute.all().forEach(each -> isKnown(each.span()));
  }

  private static void isKnown(Span span) {
    assertThat(ProtocolVersion.SUPPORTED).contains(span.since());
    assertThat(span.until() == null || span.until().isAtLeast(span.since())).isTrue();
  }

  @Test
  void tagsHaveTypesAndTheirEnumerations() {
    for (Tag tag : Tag.all()) {
      assertThat(tag.number()).isBetween(0x420001, 0x42FFFF);
      assertThat(tag.types()).as(tag.name()).isNotEmpty();
      if (tag.enumeration() != null && !tag.enumeration().equals("Tag")) {
        assertThat(tag.types())
            .as(tag.name())
            .containsAnyOf(ItemType.ENUMERATION, ItemType.INTEGER);
        assertThat(Enumerations.of(tag.enumeration())).as(tag.name()).isNotEmpty();
      }
    }
  }

  @Test
  void noTwoValuesHaveTheSameBits() {
    for (Tag tag : Tag.all()) {
      Set<Integer> bits = new HashSet<>();
      for (var each : Enumerations.of(tag.name())) {
        assertThat(bits.add(each.bits())).as("%s %s", tag, each).isTrue();
      }
    }
  }

  @Test
  void masksAreOfSingleBits() {
    List<String> masks =
        List.of("CryptographicUsageMask", "StorageStatusMask", "ProtectionStorageMask");
    for (String mask : masks) {
      assertThat(Tag.named(mask).types()).containsExactly(ItemType.INTEGER);
      for (var each : Enumerations.of(mask)) {
        assertThat(Integer.bitCount(each.bits())).as("%s %s", mask, each).isOne();
      }
    }
  }

  @Test
  void operationsAreRequestedByClientsOrServers() {
    for (var each : Enumerations.of("Operation")) {
      assertThat(each.detail()).as(each.name()).isIn("client", "server");
      assertThat(each.span().until()).as(each.name()).isNull();
    }
  }

  /** A client is never told a reason that its version does not have. */
  @Test
  void everyReasonCanBeToldInEveryVersion() {
    for (var reason : Enumerations.of("ResultReason")) {
      for (ProtocolVersion version : ProtocolVersion.SUPPORTED) {
        var told = Enumerations.named("ResultReason", told(reason.name(), version));
        assertThat(told.span().includes(version)).as("%s in %s", reason, version).isTrue();
      }
      assertThat(reason.detail() == null)
          .as(reason.name())
          .isEqualTo(reason.span().since().equals(ProtocolVersion.V1_0));
    }
  }

  @Test
  void reasonsBecomeThoseOfTheVersion() {
    assertThat(told("ObjectDestroyed", ProtocolVersion.V2_1)).isEqualTo("ObjectDestroyed");
    assertThat(told("ObjectDestroyed", ProtocolVersion.V1_4)).isEqualTo("PermissionDenied");
    assertThat(told("IllegalOperation", ProtocolVersion.V2_0)).isEqualTo("GeneralFailure");
  }

  private static String told(String reason, ProtocolVersion version) {
    return new KmipException(reason, "").reasonIn(version);
  }

  @Test
  void attributesAreNamedAndTagged() {
    Attribute length = Attribute.named("Cryptographic Length");

    assertThat(length).isSameAs(Attribute.tagged(0x42002A));
    assertThat(length)
        .returns(false, Attribute::multiple)
        .returns(Attribute.SetBy.SERVER, Attribute::setBy)
        .returns(Attribute.Change.NEVER, Attribute::clientModifies);
    assertThat(Attribute.named("Activation Date"))
        .returns(Attribute.Change.PRE_ACTIVE, Attribute::clientModifies)
        .returns(Attribute.Change.NEVER, Attribute::clientDeletes);
    assertThat(Attribute.named("Name"))
        .returns(true, Attribute::multiple)
        .returns(Attribute.Change.ALWAYS, Attribute::clientDeletes);
    assertThat(Attribute.named("cryptographic length")).isNull();
  }

  @Test
  void attributesBelongToObjectsAndVersions() {
    Attribute start = Objects.requireNonNull(Attribute.named("Process Start Date"));
    Attribute policy = Objects.requireNonNull(Attribute.named("Operation Policy Name"));

    assertThat(start.appliesTo("SymmetricKey", ProtocolVersion.V1_0)).isTrue();
    assertThat(start.appliesTo("PrivateKey", ProtocolVersion.V1_4)).isFalse();
    assertThat(start.appliesTo("PrivateKey", ProtocolVersion.V2_0)).isTrue();
    assertThat(policy.appliesTo("PrivateKey", ProtocolVersion.V1_4)).isTrue();
    assertThat(policy.appliesTo("PrivateKey", ProtocolVersion.V2_0)).isFalse();
  }

  @Test
  void versionsHaveAnOrderAndANearest() {
    assertThat(ProtocolVersion.SUPPORTED).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(new ProtocolVersion(3, 0).nearest()).isEqualTo(ProtocolVersion.V2_1);
    assertThat(new ProtocolVersion(1, 9).nearest()).isEqualTo(ProtocolVersion.V1_4);
    assertThat(new ProtocolVersion(0, 9).nearest()).isEqualTo(ProtocolVersion.V1_0);
    assertThat(new ProtocolVersion(-1, 0).nearest()).isEqualTo(ProtocolVersion.V1_0);
    assertThat(V1_2.nearest()).isEqualTo(V1_2);
  }

  @Test
  void tablesSayWhatTheSpecificationSays() {
    assertThat(Tag.named("RequestMessage").number()).isEqualTo(0x420078);
    assertThat(Tag.named("Attributes").span()).isEqualTo(new Span(ProtocolVersion.V2_0, null));
    assertThat(Tag.named("TemplateAttribute").span().includes(ProtocolVersion.V2_0)).isFalse();
    assertThat(Enumerations.named("Operation", "DiscoverVersions").span().since()).isEqualTo(V1_1);
    assertThat(Enumerations.named("Operation", "Encrypt").span().since()).isEqualTo(V1_2);
    assertThat(Enumerations.named("Operation", "Put").detail()).isEqualTo("server");
    assertThat(Enumerations.named("CryptographicAlgorithm", "AES").bits()).isEqualTo(3);
    assertThat(Tag.nameOf(0x540001)).isEqualTo("540001");
  }
}

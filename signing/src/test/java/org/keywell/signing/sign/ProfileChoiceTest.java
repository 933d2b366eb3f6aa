package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;

final class ProfileChoiceTest {

  private static final CertificateProfile PROFILE =
      CertificateProfile.of(ProfileSettings.defaults());

  private final ProfileChoice profiles =
      new ProfileChoice(
          new CertificateProfiles(
              Map.of("standard", PROFILE, "short-lived", PROFILE, "other", PROFILE)),
          false);

  private static Caller callerOf(String... profiles) {
    Caller all = Caller.onLoopback();
    return new Caller(
        "portal", all.roles(), all.keySpecs(), List.of(profiles), all.identity(), all.limits());
  }

  private Refusal refusal(@Nullable String wanted, Caller caller) {
    return Objects.requireNonNull(
            catchThrowableOfType(RefusedException.class, () -> profiles.choose(wanted, caller)))
        .refusal();
  }

  @Test
  void whoNamesNoneGetsTheFirstOfTheCallersOrTheStandard() {
    assertThat(profiles.choose(null, callerOf())).isEqualTo("standard");
    assertThat(profiles.choose(null, callerOf("short-lived", "other"))).isEqualTo("short-lived");
  }

  @Test
  void whoNamesOneGetsIt() {
    assertThat(profiles.choose("other", callerOf())).isEqualTo("other");
    assertThat(profiles.choose("other", callerOf("short-lived", "other"))).isEqualTo("other");
  }

  @Test
  void oneThatIsNotThereIsUnknown() {
    assertThat(refusal("gold", callerOf()).reason()).isEqualTo(Reason.UNKNOWN_PROFILE);
    assertThat(refusal("gold", callerOf("gold")).reason()).isEqualTo(Reason.UNKNOWN_PROFILE);
    assertThat(refusal(null, callerOf("gold")).reason()).isEqualTo(Reason.UNKNOWN_PROFILE);
  }

  @Test
  void oneThatIsNotTheCallersIsNotAllowed() {
    Refusal refusal = refusal("standard", callerOf("short-lived"));
    assertThat(refusal.reason()).isEqualTo(Reason.PROFILE_NOT_ALLOWED);
    assertThat(refusal.detail()).contains("short-lived").doesNotContain("other");
  }

  @Test
  void namesThatPassForOthersTakeASetting() {
    Subject lookAlike = Subject.ofCommonName("\uFF21strid Exempel");
    ProfileChoice lenient =
        new ProfileChoice(new CertificateProfiles(Map.of("standard", PROFILE)), true);

    lenient.require("standard", lookAlike);
    assertThat(
            Objects.requireNonNull(
                    catchThrowableOfType(
                        RefusedException.class, () -> profiles.require("standard", lookAlike)))
                .refusal()
                .reason())
        .isEqualTo(Reason.BAD_SIGNER);
  }
}

package org.keywell.signing.sign;

import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.LookAlikeNames;
import org.keywell.ca.Subject;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;

/** The choice of a request's certificate profile. Thread-safe. */
public final class ProfileChoice {

  private final CertificateProfiles profiles;
  private final boolean acceptLookAlikeNames;

  /**
   * @param acceptLookAlikeNames whether subjects may have names that can pass for others
   */
  public ProfileChoice(CertificateProfiles profiles, boolean acceptLookAlikeNames) {
    this.profiles = profiles;
    this.acceptLookAlikeNames = acceptLookAlikeNames;
  }

  /**
   * Returns the name of the request's profile.
   *
   * @param wanted the name it gives; null: its caller's first profile, or the standard one
   * @throws RefusedException if there is none of that name, or its caller may not request it
   */
  public String choose(@Nullable String wanted, Caller caller) {
    String name = wanted == null ? defaultOf(caller) : wanted;
    if (profiles.find(name).isEmpty()) {
      throw new RefusedException(
          Reason.UNKNOWN_PROFILE,
          wanted == null
              ? "the caller's first profile does not exist"
              : "profile is not one of " + String.join(", ", profiles.all().keySet()));
    }
    if (!caller.mayUse(name)) {
      throw new RefusedException(
          Reason.PROFILE_NOT_ALLOWED,
          "profile is not one of the caller's: " + String.join(", ", caller.profiles()));
    }
    return name;
  }

  private static String defaultOf(Caller caller) {
    return caller.profiles().isEmpty()
        ? CertificateProfiles.STANDARD
        : caller.profiles().getFirst();
  }

  /**
   * Checks a subject, no matter who vouches for it, against the profile's requirements and for
   * names that pass for others.
   *
   * @param profile a name that {@link #choose} returned
   * @throws RefusedException naming the attribute that is missing or invalid
   */
  public void require(String profile, Subject subject) {
    CertificateProfile chosen = profiles.find(profile).orElseThrow();
    try {
      chosen.require(subject);
      if (!acceptLookAlikeNames) {
        LookAlikeNames.refuse(subject);
      }
    } catch (InvalidSubjectException e) {
      throw new RefusedException(Reason.BAD_SIGNER, "signer." + e.attribute() + " " + e.problem());
    }
  }
}

package org.keywell.jms;

import jakarta.jms.Topic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.ProfileSettings;
import org.keywell.identity.ProofVerifiers;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.SignProperties;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.caller.Role;
import org.keywell.signing.sign.ProfileChoice;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignerIdentities;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Callers and requests of tests. */
final class Samples {

  static final Caller PORTAL = caller("portal", CallerLimits.NONE, Role.SIGN);

  /** As strict as that of HTTP. */
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static final Topic TOPIC = () -> "keywell.replies.portal";

  private Samples() {}

  static Caller caller(String name, CallerLimits limits, Role... roles) {
    return new Caller(
        name, Set.of(roles), Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, limits);
  }

  static String body(UUID requestId) {
    return """
    {"requestId":"%s","digestAlgorithm":"SHA-256","keySpec":"EC-P256",\
    "digest":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","signer":{"commonName":"Astrid Exempel"}}\
    """
        .formatted(requestId);
  }

  /** Nobody's tickets are trusted. */
  static SignRequestParser parser() {
    return new SignRequestParser(
        new RequestIntake(
            new SignProperties(
                1,
                150,
                Duration.ofSeconds(3),
                Duration.ofSeconds(60),
                DataSize.ofKilobytes(16),
                10,
                false),
            Set.of(KeySpec.EC_P256)::contains,
            new ProfileChoice(
                new CertificateProfiles(
                    Map.of("standard", CertificateProfile.of(ProfileSettings.defaults()))),
                false),
            new SignerIdentities(new ProofVerifiers(Map.of(), 100, 1), InstantSource.system())));
  }
}

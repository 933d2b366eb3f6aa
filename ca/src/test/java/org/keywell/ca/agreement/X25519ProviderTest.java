package org.keywell.ca.agreement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** As Java's TLS uses it, with a peer that computes with Java's own implementation. */
class X25519ProviderTest {

  private static final Provider JAVAS = Security.getProvider("SunEC");

  @BeforeAll
  static void register() {
    X25519Provider.register();
  }

  @AfterAll
  static void remove() {
    Security.removeProvider("KeywellX25519");
  }

  @RepeatedTest(20)
  void agreesWithJavasOwn() throws GeneralSecurityException {
    KeyPair ours = pair(KeyPairGenerator.getInstance("XDH"));
    KeyPair theirs = pair(KeyPairGenerator.getInstance("XDH", JAVAS));
    KeyAgreement agreement = KeyAgreement.getInstance("XDH");
    byte[] secret = secret(agreement, ours, received(theirs));
    assertThat(agreement.getProvider().getName()).isEqualTo("KeywellX25519");
    PublicKey sent =
        KeyFactory.getInstance("XDH", JAVAS)
            .generatePublic(
                new XECPublicKeySpec(
                    NamedParameterSpec.X25519, ((XECPublicKey) ours.getPublic()).getU()));
    assertThat(secret(KeyAgreement.getInstance("XDH", JAVAS), theirs, sent)).isEqualTo(secret);
  }

  @Test
  void refusesAPointOfLowOrder() throws GeneralSecurityException {
    KeyPair ours = pair(KeyPairGenerator.getInstance("XDH"));
    PublicKey zero =
        KeyFactory.getInstance("XDH")
            .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, BigInteger.ZERO));
    assertThatThrownBy(() -> secret(KeyAgreement.getInstance("XDH"), ours, zero))
        .isInstanceOf(InvalidKeyException.class);
  }

  @Test
  void leavesX448ToJava() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("XDH");
    generator.initialize(NamedParameterSpec.X448);
    KeyAgreement agreement = KeyAgreement.getInstance("XDH");
    agreement.init(generator.generateKeyPair().getPrivate());
    assertThat(agreement.getProvider()).isEqualTo(JAVAS);
  }

  @Test
  void leavesOtherKeysToJava() throws GeneralSecurityException {
    assertThat(KeyPairGenerator.getInstance("EC").getProvider()).isEqualTo(JAVAS);
    assertThat(KeyPairGenerator.getInstance("Ed25519").getProvider()).isEqualTo(JAVAS);
  }

  /** As from the peer's share in the handshake. */
  private static PublicKey received(KeyPair theirs) throws GeneralSecurityException {
    return KeyFactory.getInstance("XDH")
        .generatePublic(
            new XECPublicKeySpec(
                NamedParameterSpec.X25519, ((XECPublicKey) theirs.getPublic()).getU()));
  }

  private static KeyPair pair(KeyPairGenerator generator) throws GeneralSecurityException {
    generator.initialize(NamedParameterSpec.X25519);
    return generator.generateKeyPair();
  }

  private static byte[] secret(KeyAgreement agreement, KeyPair ours, Key theirs)
      throws GeneralSecurityException {
    agreement.init(ours.getPrivate());
    Key _ = agreement.doPhase(theirs, true);
    return agreement.generateSecret("TlsPremasterSecret").getEncoded();
  }
}

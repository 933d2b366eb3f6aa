package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/** Writes private keys and their certificates into a token, so that a crash loses neither. */
final class CertifiedWriter {

  private CertifiedWriter() {}

  /**
   * Makes an entry of a key and its certificates.
   *
   * @param session for reading and writing
   * @param before what the token holds
   */
  static void write(
      Session session,
      TokenContent before,
      String alias,
      CertifiedKey key,
      List<X509Certificate> chain) {
    byte[] label = alias.getBytes(StandardCharsets.UTF_8);
    Optional<TokenContent.PrivateKeyObject> there = before.privateKey(key.object());
    byte[] id = there.map(TokenContent.PrivateKeyObject::id).orElse(label);
    X509Certificate own = chain.getFirst();
    List<TokenContent.StoredCertificate> former =
        there.isEmpty() ? List.of() : before.certificatesOf(alias, id);
    if (there.isEmpty()) {
      move(session, key.object(), label, own);
    } else if (former.stream().noneMatch(each -> each.value().filter(own::equals).isPresent())) {
      create(session, own, Optional.of(label), id);
    }
    for (X509Certificate above : chain.subList(1, chain.size())) {
      if (!before.certificates().containsValue(above)) {
        create(session, above, Optional.empty(), new byte[0]);
      }
    }
    // Only now, so that the token always has a certificate for the key.
    former.stream()
        .filter(each -> each.value().filter(own::equals).isEmpty())
        .forEach(each -> destroy(session, each.object()));
  }

  /** If the certificate cannot be stored, the key is not, either. */
  private static void move(Session session, long object, byte[] label, X509Certificate own) {
    long copy = copy(session, object, label);
    try {
      create(session, own, Optional.of(label), label);
    } catch (RuntimeException e) {
      destroy(session, copy);
      throw e;
    }
    destroy(session, object);
  }

  private static long copy(Session session, long object, byte[] label) {
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_LABEL, label)
              .with(Cka.CKA_ID, label)
              .build();
      ReturnValue.check(
          "C_CopyObject",
          session.functions().copyObject(session.handle(), object, template, session.newObject()));
      return session.newObjectHandle();
    }
  }

  private static void create(
      Session session, X509Certificate certificate, Optional<byte[]> label, byte[] id) {
    try (Arena arena = Arena.ofConfined()) {
      Template.Builder template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_CERTIFICATE)
              .with(Cka.CKA_CERTIFICATE_TYPE, Ck.CKC_X_509)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_SUBJECT, certificate.getSubjectX500Principal().getEncoded())
              .with(Cka.CKA_ISSUER, certificate.getIssuerX500Principal().getEncoded())
              .with(Cka.CKA_SERIAL_NUMBER, der(certificate))
              .with(Cka.CKA_VALUE, certificate.getEncoded());
      label.ifPresent(text -> template.with(Cka.CKA_LABEL, text).with(Cka.CKA_ID, id));
      ReturnValue.check(
          "C_CreateObject",
          session
              .functions()
              .createObject(session.handle(), template.build(), session.newObject()));
    } catch (CertificateEncodingException e) {
      throw new HsmException(Reason.FAILED, "a certificate cannot be encoded", e);
    }
  }

  /** The serial number as a DER INTEGER; RFC 5280 allows 20 octets. */
  private static byte[] der(X509Certificate certificate) {
    byte[] number = certificate.getSerialNumber().toByteArray();
    byte[] der = new byte[number.length + 2];
    der[0] = 2;
    der[1] = (byte) number.length;
    System.arraycopy(number, 0, der, 2, number.length);
    return der;
  }

  private static void destroy(Session session, long object) {
    long returned = session.functions().destroyObject(session.handle(), object);
    // Another process may have been faster.
    if (!ReturnValue.CKR_OBJECT_HANDLE_INVALID.is(returned)) {
      ReturnValue.check("C_DestroyObject", returned);
    }
  }
}

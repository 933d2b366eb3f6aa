package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one call on managed keys does in a session. All objects that it brings into the token go
 * with its end. For one thread.
 */
final class ManagedSession implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ManagedSession.class);

  /** Takes as many bytes as RFC 3394 needs at least. */
  private static final byte[] KNOWN = new byte[2 * Blob.SEMIBLOCK_BYTES];

  private final Session session;
  private final Brand brand;
  private final Mechanisms mechanisms;
  private final long wrappingKey;
  private final Map<SecretUse, Template> templates;
  private final ResultProofs proofs;
  private final LogPace undestroyed;
  private final AtomicInteger privateKeys;
  private final Deque<Long> objects = new ArrayDeque<>();
  private int mine;

  /**
   * @param templates of all uses
   * @param privateKeys counts those that managed sessions have in the token
   * @param undestroyed paces the log's lines on objects that the token does not destroy
   */
  ManagedSession(
      Session session,
      Brand brand,
      Mechanisms mechanisms,
      WrappingKey wrappingKey,
      Map<SecretUse, Template> templates,
      ResultProofs proofs,
      AtomicInteger privateKeys,
      LogPace undestroyed) {
    this.templates = templates;
    this.proofs = proofs;
    this.privateKeys = privateKeys;
    this.undestroyed = undestroyed;
    this.session = session;
    this.brand = brand;
    this.mechanisms = mechanisms;
    this.wrappingKey = wrappingKey.handle();
  }

  Session session() {
    return session;
  }

  /** Takes ownership of an object; returns its handle. */
  long own(long object) {
    objects.push(object);
    return object;
  }

  /** As {@link #own}, for a private key, which is counted as long as it lives. */
  void ownPrivateKey(long object) {
    long _ = own(object);
    mine++;
    privateKeys.incrementAndGet();
  }

  /** Generates a secret that can only be wrapped. */
  long generate(MemorySegment mechanism, long keyType, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          SecretUse.LEAVE.template(arena, keyType).with(Cka.CKA_VALUE_LEN, bytes).build();
      ReturnValue.check(
          "C_GenerateKey",
          session
              .functions()
              .generateKey(session.handle(), mechanism, template, session.newObject()));
      return own(session.newObjectHandle());
    }
  }

  /** Makes a secret of a content that the process has; it can only be wrapped. */
  long create(byte[] content) {
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          SecretUse.LEAVE
              .template(arena, Ck.CKK_GENERIC_SECRET)
              .with(Cka.CKA_VALUE, content)
              .build();
      ReturnValue.check(
          "C_CreateObject",
          session.functions().createObject(session.handle(), template, session.newObject()));
      return own(session.newObjectHandle());
    }
  }

  /**
   * Brings a blob's content into the token, and proves that it is that: AES-KWP has no randomness,
   * so the content under the wrapping key is the blob again.
   */
  long unwrapProved(Blob blob, SecretUse use) {
    long object = unwrap(blob, use);
    byte[] again = wrap(object);
    // The zeros that SoftHSM leaves behind a content are wrapped with it.
    boolean longer = !brand.removesPadding() && (blob.padding() > 0 || blob.privateKey());
    byte[] expected = longer ? wrap(unwrap(blob, SecretUse.LEAVE)) : blob.ciphertext();
    proofs.require(CkFunction.C_UNWRAP_KEY, Arrays.equals(again, expected));
    return object;
  }

  /** Brings a blob's content into the token. */
  long unwrap(Blob blob, SecretUse use) {
    long returned = unwrap(mechanisms.keyWrap(), wrappingKey, blob.ciphertext(), template(use));
    if (returned != 0) {
      throw brand.unwrapException(returned);
    }
    return own(session.newObjectHandle());
  }

  /** Brings into the token what a client's key has wrapped by RFC 3394. */
  long unwrapClients(long clientsKey, byte[] wrapped) {
    long returned =
        unwrap(mechanisms.unpaddedKeyWrap(), clientsKey, wrapped, template(SecretUse.LEAVE));
    if (returned != 0) {
      throw brand.decryptException("C_UnwrapKey with a client's key", returned);
    }
    return own(session.newObjectHandle());
  }

  private Template template(SecretUse use) {
    return Objects.requireNonNull(templates.get(use));
  }

  private long unwrap(MemorySegment mechanism, long key, byte[] wrapped, Template template) {
    session.put(0, wrapped, wrapped.length);
    return session
        .functions()
        .unwrapKey(
            session.handle(),
            mechanism,
            key,
            session.input(),
            wrapped.length,
            template,
            session.newObject());
  }

  /**
   * Returns the blob of an object, not proved yet.
   *
   * @param bytes the length of its value
   */
  Blob wrap(long object, int bytes) {
    return Blob.of(wrap(object), bytes);
  }

  private byte[] wrap(long object) {
    return wrap("C_WrapKey", mechanisms.keyWrap(), wrappingKey, object);
  }

  /**
   * Proves that a new blob unwraps, to what the token wraps as the object.
   *
   * @return the blob
   */
  byte[] proved(Blob blob, long object) {
    byte[] expected = wrap(object);
    boolean same;
    try {
      byte[] again = wrap(unwrap(blob, SecretUse.LEAVE));
      boolean padded = !brand.removesPadding() && blob.padding() > 0;
      same =
          Arrays.equals(blob.ciphertext(), expected) && (padded || Arrays.equals(again, expected));
    } catch (HsmException e) {
      same = unwrapsNot(e, blob, expected);
    }
    proofs.require(CkFunction.C_WRAP_KEY, same);
    return blob.encoded();
  }

  /** NSS wraps secrets that are too long for it to unwrap, except as private keys. */
  private static boolean unwrapsNot(HsmException e, Blob blob, byte[] expected) {
    return switch (e.reason()) {
      case WRAPPED_KEY_INVALID -> false;
      case UNSUPPORTED -> Arrays.equals(blob.ciphertext(), expected);
      default -> throw e;
    };
  }

  /** Reads a content, and proves that it is the blob's. */
  byte[] reveal(Blob blob) {
    byte[] content = blob.content(value(unwrap(blob, SecretUse.READ)));
    proofs.require(
        CkFunction.C_GET_ATTRIBUTE_VALUE, Arrays.equals(wrap(create(content)), blob.ciphertext()));
    return content;
  }

  /**
   * Wraps an object for a client, and proves that the client's key unwraps it to the same.
   *
   * @param content the object's
   */
  byte[] wrapForClientProved(long clientsKey, long object, Blob content) {
    byte[] wrapped = wrapForClient(clientsKey, object);
    // Zeros may follow a private key then, so that it is compared with itself.
    boolean longer = brand.removesPadding() && content.privateKey();
    boolean same =
        longer
            ? Arrays.equals(wrapped, wrapForClient(clientsKey, object))
            : unwrapsTo(wrapped, clientsKey, wrap(object));
    proofs.require(CkFunction.C_WRAP_KEY, same);
    return wrapped;
  }

  private boolean unwrapsTo(byte[] wrapped, long clientsKey, byte[] expected) {
    try {
      return Arrays.equals(wrap(unwrapClients(clientsKey, wrapped)), expected);
    } catch (HsmException e) {
      if (e.reason() == Reason.DATA_INVALID) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Takes over what a client's key wrapped, and proves that the blob's content under that key is
   * what the client gave.
   *
   * @return the blob
   */
  byte[] takeOver(long clientsKey, byte[] wrapped) {
    long object;
    try {
      object = unwrapClients(clientsKey, wrapped);
    } catch (HsmException e) {
      if (e.reason() == Reason.DATA_INVALID) {
        // Only a device that unwraps something else with this key may blame the client.
        byte[] known = wrapForClient(clientsKey, create(KNOWN));
        proofs.require(CkFunction.C_UNWRAP_KEY, unwrapsTo(known, clientsKey, wrap(create(KNOWN))));
      }
      throw e;
    }
    Blob blob = wrap(object, wrapped.length - Blob.SEMIBLOCK_BYTES);
    byte[] proved = proved(blob, object);
    byte[] again = wrapForClient(clientsKey, unwrap(blob, SecretUse.LEAVE));
    proofs.require(CkFunction.C_UNWRAP_KEY, Arrays.equals(again, wrapped));
    return proved;
  }

  /** Wraps an object by RFC 3394 for a client that has the key. */
  private byte[] wrapForClient(long clientsKey, long object) {
    return wrap("C_WrapKey with a client's key", mechanisms.unpaddedKeyWrap(), clientsKey, object);
  }

  private byte[] wrap(String function, MemorySegment mechanism, long key, long object) {
    ReturnValue.check(
        function,
        session
            .functions()
            .wrapKey(
                session.handle(),
                mechanism,
                key,
                object,
                session.output(),
                session.outputCapacity()));
    return session.takeOutput();
  }

  /** Reads the value of an object that shows it. */
  private byte[] value(long object) {
    try {
      return new ObjectAttributes(session, object).require(Cka.CKA_VALUE);
    } finally {
      wipeOutput();
    }
  }

  byte[] cipher(boolean encrypts, long key, CipherCall call, byte[] data) {
    return new Cipher(session, brand, key).runProved(encrypts, call, data, proofs);
  }

  /** Nothing but the key verifies a MAC, so it is computed twice. */
  byte[] macProved(MemorySegment mechanism, long key, byte[] data) {
    byte[] mac = mac(mechanism, key, data);
    proofs.require(CkFunction.C_SIGN, MessageDigest.isEqual(mac, mac(mechanism, key, data)));
    return mac;
  }

  private byte[] mac(MemorySegment mechanism, long key, byte[] data) {
    Functions functions = session.functions();
    try (Arena arena = Arena.ofConfined()) {
      session.began("C_SignInit", functions.signInit(session.handle(), mechanism, key));
      ReturnValue.check(
          "C_Sign",
          session.ended(
              functions.sign(
                  session.handle(),
                  Cipher.copy(arena, data),
                  data.length,
                  session.output(),
                  session.outputCapacity())));
      return session.takeOutput();
    }
  }

  /**
   * @param bytes at most {@link Session#BUFFER_BYTES}
   */
  byte[] random(int bytes) {
    try {
      ReturnValue.check(
          "C_GenerateRandom",
          session.functions().generateRandom(session.handle(), session.output(), bytes));
      return session.output().asSlice(0, bytes).toArray(JAVA_BYTE);
    } finally {
      wipeOutput();
    }
  }

  /** The buffer stays as long as the session. */
  private void wipeOutput() {
    session.output().fill((byte) 0);
  }

  /**
   * Destroys the objects. If the token does not, closes the session, which ends them too, and lets
   * another one replace it.
   */
  @Override
  public void close() {
    long refusal = 0;
    for (long object : objects) {
      long returned = session.functions().destroyObject(session.handle(), object);
      if (returned != 0 && !ReturnValue.isOfSession(returned)) {
        refusal = returned;
      }
    }
    if (refusal != 0) {
      long times = undestroyed.due(1);
      if (times > 0) {
        log.error(
            "C_DestroyObject of a managed key returned {}, {} times since the last such line; the"
                + " session was closed, which ends the key",
            ReturnValue.name(refusal),
            times);
      }
      session.discard();
    }
    privateKeys.addAndGet(-mine);
  }
}

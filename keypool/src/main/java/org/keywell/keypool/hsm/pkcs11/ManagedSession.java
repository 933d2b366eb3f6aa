package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one call on managed keys does in a session. All objects that it brings into the token go
 * with its end. For one thread.
 */
final class ManagedSession implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ManagedSession.class);

  private final Session session;
  private final Brand brand;
  private final Mechanisms mechanisms;
  private final long wrappingKey;
  private final LogPace undestroyed;
  private final AtomicInteger privateKeys;
  private final Deque<Long> objects = new ArrayDeque<>();
  private int mine;

  /**
   * @param privateKeys counts those that managed sessions have in the token
   * @param undestroyed paces the log's lines on objects that the token does not destroy
   */
  ManagedSession(
      Session session,
      Brand brand,
      Mechanisms mechanisms,
      WrappingKey wrappingKey,
      AtomicInteger privateKeys,
      LogPace undestroyed) {
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

  /** Brings a blob's content into the token as the template says. */
  long unwrap(Blob blob, Template template) {
    long returned = unwrap(mechanisms.keyWrap(), wrappingKey, blob.ciphertext(), template);
    if (returned != 0) {
      throw brand.unwrapException(returned);
    }
    return own(session.newObjectHandle());
  }

  /** Brings into the token what a client's key has wrapped by RFC 3394. */
  long unwrapClients(long clientsKey, byte[] wrapped, Template template) {
    long returned = unwrap(mechanisms.unpaddedKeyWrap(), clientsKey, wrapped, template);
    if (returned != 0) {
      throw brand.decryptException("C_UnwrapKey with a client's key", returned);
    }
    return own(session.newObjectHandle());
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
   * Returns the blob of an object.
   *
   * @param bytes the length of its value
   */
  byte[] wrap(long object, int bytes) {
    return Blob.of(wrap("C_WrapKey", mechanisms.keyWrap(), wrappingKey, object), bytes).encoded();
  }

  /** Wraps an object by RFC 3394 for a client that has the key. */
  byte[] wrapForClient(long clientsKey, long object) {
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
  byte[] value(long object) {
    try {
      return new ObjectAttributes(session, object).require(Cka.CKA_VALUE);
    } finally {
      wipeOutput();
    }
  }

  byte[] cipher(boolean encrypts, long key, CipherCall call, byte[] data) {
    return new Cipher(session, brand, key).run(encrypts, call, data);
  }

  byte[] mac(MemorySegment mechanism, long key, byte[] data) {
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

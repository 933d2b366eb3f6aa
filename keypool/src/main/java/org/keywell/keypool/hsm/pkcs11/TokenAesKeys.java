package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * AES-256 keys that are made in the token and stay there: token objects, sensitive and not
 * extractable, that encrypt and decrypt and do nothing else. A key is found by its {@code CKA_ID},
 * which is random and never used again.
 *
 * <p>Calls take part in the limits and in the reopening of their {@link Pkcs11Hsm}, as its own
 * calls do. Thread-safe.
 *
 * <p>All methods throw {@link HsmException}: with {@link Reason#KEY_GONE} if the token has no such
 * key, with {@link Reason#FAILED} if it has another under that id or a result is wrong, with {@link
 * Reason#DATA_INVALID} for data that the key does not decrypt, and with {@link Reason#UNAVAILABLE}
 * while a call of the device exceeds its limit.
 */
public final class TokenAesKeys {
  static final int ID_BYTES = 16;
  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /** All that was proved of a key: under another name, it may not be used. */
  private record Proven(String label, ByteBuffer id, ByteBuffer check) {
    static Proven of(TokenAesKey key) {
      return new Proven(key.label(), ByteBuffer.wrap(key.id()), ByteBuffer.wrap(key.check()));
    }
  }

  /** The keys found in an opening: a handle of an earlier one may be another key's now. */
  private record Found(Opening in, Map<Proven, Long> handles) {}

  private final CryptokiLibrary library;
  private final Mechanisms mechanisms;
  private final Supplier<Opening> opening;
  private final ResultProofs proofs;
  private final SecureRandom random = new SecureRandom();
  private volatile Found found;

  TokenAesKeys(CryptokiLibrary library, Supplier<Opening> opening, ResultProofs proofs) {
    this.proofs = proofs;
    this.library = library;
    this.mechanisms = new Mechanisms(library.brand());
    this.opening = opening;
    this.found = new Found(opening.get(), new ConcurrentHashMap<>());
  }

  /** Returns an id that no key has yet, to be noted before a key is made under it. */
  public static byte[] newId() {
    byte[] id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    return id;
  }

  /** Generates a key under a new id; see {@link #generate(String, byte[])}. */
  public TokenAesKey generate(String label) {
    return generate(label, newId());
  }

  /**
   * Generates a key. If this fails, the token may have it nevertheless: see {@link #ids} and {@link
   * #destroy}.
   *
   * @param label becomes its {@code CKA_LABEL}, for operators; the token accepts several of one
   * @param id from {@link #newId}
   */
  public TokenAesKey generate(String label, byte[] id) {
    return opening
        .get()
        .inReadWriteSession(session -> {
          try (Arena arena = Arena.ofConfined()) {
            long key =
                generate(session, onToken(arena, label, id).with(Cka.CKA_VALUE_LEN, KEY_BYTES));
            return AesKeyCheck.make(new Cipher(session, library.brand(), key), label, id);
          }
        });
  }

  /** Returns the ids of the secret keys that have a label, whoever made them. */
  public List<byte[]> ids(String label) {
    return opening
        .get()
        .inSession(session -> {
          List<byte[]> ids = new ArrayList<>();
          try (Arena arena = Arena.ofConfined()) {
            Template template =
                Template.in(arena)
                    .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
                    .yes(Cka.CKA_TOKEN)
                    .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
                    .build();
            ObjectSearch.forEach(
                session,
                template,
                key ->
                    ids.add(
                        new ObjectAttributes(session, key).read(Cka.CKA_ID).orElse(new byte[0])));
          }
          return ids;
        });
  }

  /** Returns a key that the token has, with a check value. */
  TokenAesKey checked(String label, byte[] id) {
    return opening
        .get()
        .inSession(session ->
            AesKeyCheck.make(
                new Cipher(session, library.brand(), require(session, id)), label, id));
  }

  Opening opening() {
    return opening.get();
  }

  Brand brand() {
    return library.brand();
  }

  /** Destroys a key. Returns whether there was one. */
  public boolean destroy(byte[] id) {
    return opening
        .get()
        .inReadWriteSession(session -> {
          List<Long> objects = search(session, id);
          for (long object : objects) {
            ReturnValue.check(
                "C_DestroyObject", session.functions().destroyObject(session.handle(), object));
          }
          return !objects.isEmpty();
        });
  }

  /**
   * Whether the token has something under an id, which need not be as {@link #generate} makes it.
   */
  public boolean has(byte[] id) {
    return opening.get().inSession(session -> !search(session, id).isEmpty());
  }

  /** Whether the token has a key. Looks for it, and proves that it is this one. */
  public boolean keeps(TokenAesKey key) {
    return opening
        .get()
        .inSession(session -> {
          if (search(session, key.id()).isEmpty()) {
            return false;
          }
          long _ = proven(session, key);
          return true;
        });
  }

  /**
   * Encrypts. What is returned has been decrypted again.
   *
   * @param data up to {@value ManagedKeys#MAX_DATA_BYTES} bytes
   */
  public byte[] encrypt(TokenAesKey key, CipherCall call, byte[] data) {
    return cipher(true, key, call, data);
  }

  /**
   * Decrypts. What is returned has been encrypted again, to the same data.
   *
   * @param data what {@link #encrypt} returns
   */
  public byte[] decrypt(TokenAesKey key, CipherCall call, byte[] data) {
    return cipher(false, key, call, data);
  }

  /** Encrypts and decrypts with a key that is made for it and destroyed. */
  public void prove() {
    byte[] text = new byte[KEY_BYTES];
    byte[] iv = new byte[IV_BYTES];
    random.nextBytes(text);
    random.nextBytes(iv);
    CipherCall call = new CipherCall(CipherCall.Mode.GCM, iv, new byte[0], TAG_BYTES);
    var _ =
        opening
            .get()
            .inSession(session -> {
              long key;
              try (Arena arena = Arena.ofConfined()) {
                Template.Builder template =
                    Template.in(arena)
                        .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
                        .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
                        .with(Cka.CKA_VALUE_LEN, KEY_BYTES)
                        .no(Cka.CKA_TOKEN);
                key = generate(session, template);
              }
              try {
                Cipher cipher = new Cipher(session, library.brand(), key);
                byte[] encrypted = cipher.runProved(true, call, text, proofs);
                return cipher.runProved(false, call, encrypted, proofs);
              } finally {
                ReturnValue.check(
                    "C_DestroyObject", session.functions().destroyObject(session.handle(), key));
              }
            });
  }

  private byte[] cipher(boolean encrypts, TokenAesKey key, CipherCall call, byte[] data) {
    if (data.length > ManagedKeys.MAX_DATA_BYTES) {
      throw new IllegalArgumentException(data.length + " bytes are too many");
    }
    Opening now = opening.get();
    Map<Proven, Long> handles = handles(now);
    Proven name = Proven.of(key);
    return now.inSession(session -> {
      Long known = handles.get(name);
      if (known != null) {
        Optional<byte[]> result = attempt(session, known, encrypts, call, data);
        if (result.isPresent()) {
          return result.get();
        }
        handles.remove(name, known);
      }
      long found = proven(session, key);
      handles.put(name, found);
      return new Cipher(session, library.brand(), found).runProved(encrypts, call, data, proofs);
    });
  }

  private long proven(Session session, TokenAesKey key) {
    long found = require(session, key.id());
    AesKeyCheck.require(new Cipher(session, library.brand(), found), key);
    return found;
  }

  /** Returns empty if the key is gone; another process may have destroyed it. */
  private Optional<byte[]> attempt(
      Session session, long key, boolean encrypts, CipherCall call, byte[] data) {
    try {
      return Optional.of(
          new Cipher(session, library.brand(), key).runProved(encrypts, call, data, proofs));
    } catch (HsmException e) {
      if (e.reason() != Reason.KEY_GONE) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private Map<Proven, Long> handles(Opening now) {
    Found current = found;
    if (current.in() != now) {
      current = new Found(now, new ConcurrentHashMap<>());
      found = current;
    }
    return current.handles();
  }

  /** INVARIANT: a key that could leave the token, or is ambiguous, is not used. */
  private static long require(Session session, byte[] id) {
    List<Long> objects = search(session, id);
    if (objects.isEmpty()) {
      throw new HsmException(Reason.KEY_GONE, "the token has no such AES key");
    }
    ObjectAttributes key = new ObjectAttributes(session, objects.getFirst());
    boolean fit =
        objects.size() == 1
            && key.readBoolean(Cka.CKA_SENSITIVE).equals(Optional.of(true))
            && key.readBoolean(Cka.CKA_EXTRACTABLE).equals(Optional.of(false))
            // SoftHSM reports 0 for a key that was unwrapped; no AES key has that length.
            && key.readLong(Cka.CKA_VALUE_LEN)
                .filter(length -> length == KEY_BYTES || length == 0)
                .isPresent();
    if (!fit) {
      throw new HsmException(
          Reason.FAILED, "the AES key is not the only one of its id, or not as it was made");
    }
    return objects.getFirst();
  }

  private static List<Long> search(Session session, byte[] id) {
    List<Long> objects = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
              .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_ID, id)
              .build();
      ObjectSearch.forEach(session, template, objects::add);
    }
    return objects;
  }

  static Template.Builder onToken(Arena arena, String label, byte[] id) {
    return Template.in(arena)
        .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
        .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
        .yes(Cka.CKA_TOKEN)
        .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
        .with(Cka.CKA_ID, id);
  }

  /** Adds what every key has. It comes last: see {@link NewWrappingKey#pin}. */
  static Template.Builder pin(Template.Builder template) {
    return template
        .yes(Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE)
        .yes(Cka.CKA_ENCRYPT, Cka.CKA_DECRYPT)
        .no(Cka.CKA_EXTRACTABLE)
        .no(Cka.CKA_WRAP, Cka.CKA_UNWRAP, Cka.CKA_SIGN, Cka.CKA_VERIFY, Cka.CKA_DERIVE)
        .no(Cka.CKA_MODIFIABLE);
  }

  private long generate(Session session, Template.Builder unpinned) {
    Template.Builder template = pin(unpinned);
    MemorySegment mechanism = mechanisms.aesKeyGen();
    ReturnValue.check(
        "C_GenerateKey",
        session
            .functions()
            .generateKey(session.handle(), mechanism, template.build(), session.newObject()));
    return session.newObjectHandle();
  }
}

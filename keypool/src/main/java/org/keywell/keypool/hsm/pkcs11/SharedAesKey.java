package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.hsm.HsmException;

/**
 * A new AES key in several tokens that this process has open. It is made as wrapping keys are
 * ({@link WrappingKeyOrigin}): outside tokens, it exists only encrypted for a transport key of the
 * receiving token; once this has returned, no token has it as a key that can be extracted.
 */
public final class SharedAesKey {

  private final String label;
  private final byte[] id;

  private SharedAesKey(String label, byte[] id) {
    this.label = label;
    this.id = id;
  }

  /** Generates the key under a new id; see {@link #generate(List, String, byte[])}. */
  public static TokenAesKey generate(List<TokenAesKeys> tokens, String label) {
    return generate(tokens, label, TokenAesKeys.newId());
  }

  /**
   * Generates the key in the first token, and takes it to all.
   *
   * @param tokens two or more, each once
   * @param label becomes its {@code CKA_LABEL}
   * @param id from {@link TokenAesKeys#newId}
   * @throws HsmException if a token refuses a step; then no token keeps the key, if possible
   */
  public static TokenAesKey generate(List<TokenAesKeys> tokens, String label, byte[] id) {
    SharedAesKey key = new SharedAesKey(label, id);
    try {
      key.distribute(tokens);
      return find(tokens, label, id);
    } catch (RuntimeException e) {
      tokens.forEach(token -> key.takeBack(token, e));
      throw e;
    }
  }

  /**
   * Returns the key that tokens have under an id, with a check value.
   *
   * @param tokens one or more
   * @throws HsmException if one lacks it or has another, or it is not as it would be made
   */
  public static TokenAesKey find(List<TokenAesKeys> tokens, String label, byte[] id) {
    TokenAesKey found = tokens.getFirst().checked(label, id);
    for (TokenAesKeys token : tokens) {
      if (!token.keeps(found)) {
        throw new HsmException(
            HsmException.Reason.NOT_BOOTSTRAPPED, "a token lacks the key that others have");
      }
    }
    return found;
  }

  private void distribute(List<TokenAesKeys> tokens) {
    TokenAesKeys origin = tokens.getFirst();
    boolean _ =
        origin
            .opening()
            .inReadWriteSession(session -> {
              RsaTransport transport = new RsaTransport(session, origin.brand());
              try (TemporaryObjects temporary = new TemporaryObjects(session)) {
                long cargo = temporary.add(transport.generateCargo());
                Function<TransportPublicKey, byte[]> send =
                    recipient ->
                        transport.wrap(temporary.add(transport.importPublicKey(recipient)), cargo);
                receive(session, origin.brand(), send);
                for (TokenAesKeys other : tokens.subList(1, tokens.size())) {
                  boolean _ =
                      other.opening().inReadWriteSession(its -> receive(its, other.brand(), send));
                }
              }
              return true;
            });
  }

  /** Has a token make the key of what is sent to a transport key, which lives as long as this. */
  private boolean receive(Session session, Brand brand, Function<TransportPublicKey, byte[]> send) {
    try (Arena arena = Arena.ofConfined();
        TemporaryObjects temporary = new TemporaryObjects(session)) {
      TransportKeyPair pair = TransportKeyPair.generate(session, brand, false, TokenAesKeys::pin);
      temporary.add(pair.publicKey());
      temporary.add(pair.privateKey());
      byte[] sent = send.apply(TransportPublicKey.of(pair.subjectPublicKeyInfo()));
      long _ =
          new RsaTransport(session, brand)
              .unwrap(
                  pair.privateKey(),
                  sent,
                  TokenAesKeys.pin(TokenAesKeys.onToken(arena, label, id)).build());
    }
    return true;
  }

  private void takeBack(TokenAesKeys token, RuntimeException cause) {
    try {
      boolean _ = token.destroy(id);
    } catch (HsmException e) {
      cause.addSuppressed(e);
    }
  }
}

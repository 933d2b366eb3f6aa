package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.security.SecureRandom;
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
  private final byte[] id = new byte[TokenAesKeys.ID_BYTES];

  private SharedAesKey(String label) {
    this.label = label;
    new SecureRandom().nextBytes(id);
  }

  /**
   * Generates the key in the first token, and takes it to all.
   *
   * @param tokens two or more, each once
   * @param label becomes its {@code CKA_LABEL}
   * @throws HsmException if a token refuses a step; then no token keeps the key, if possible
   */
  public static TokenAesKey generate(List<TokenAesKeys> tokens, String label) {
    SharedAesKey key = new SharedAesKey(label);
    try {
      key.distribute(tokens);
      TokenAesKey made = tokens.getFirst().checked(label, key.id);
      for (TokenAesKeys token : tokens) {
        if (!token.keeps(made)) {
          throw new HsmException(HsmException.Reason.FAILED, "a token lost the key it was given");
        }
      }
      return made;
    } catch (RuntimeException e) {
      tokens.forEach(token -> key.takeBack(token, e));
      throw e;
    }
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

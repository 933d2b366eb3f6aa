package org.keywell.signing.hsm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.EnrolledKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyOrigin;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyRecipient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new wrapping key in several tokens of this instance. Works like the commands that carry one
 * between tokens, but without files, and so with nothing to compare: the key goes from module to
 * module within this process.
 */
final class SharedWrappingKey {

  private static final Logger log = LoggerFactory.getLogger(SharedWrappingKey.class);

  private final TokenAccess origin;
  private final List<TokenAccess> others;

  private final List<TokenAccess> holders = new ArrayList<>();

  private final List<EnrolledKey> answers = new ArrayList<>();

  private SharedWrappingKey(List<TokenAccess> tokens) {
    this.origin = tokens.getFirst();
    this.others = tokens.subList(1, tokens.size());
  }

  /**
   * Creates it.
   *
   * @param tokens share a label for the wrapping key, under which none has one
   * @return its id
   * @throws HsmException if a token refuses a step; then the key is withdrawn, if possible
   */
  static String make(List<TokenAccess> tokens) {
    SharedWrappingKey key = new SharedWrappingKey(tokens);
    try {
      return key.make();
    } catch (RuntimeException e) {
      key.withdraw(e);
      throw e;
    }
  }

  private String make() {
    List<byte[]> transportKeys = new ArrayList<>();
    for (TokenAccess other : others) {
      transportKeys.add(
          withPin(other, pin -> WrappingKeyRecipient.request(other.config(), pin).publicKey()));
    }
    String id =
        withPin(
            origin,
            pin -> WrappingKeyOrigin.enrol(origin.config(), pin, transportKeys, answers::addAll));
    holders.add(origin);
    for (int i = 0; i < others.size(); i++) {
      TokenAccess other = others.get(i);
      EnrolledKey answer = answers.get(i);
      var _ = withPin(other, pin -> WrappingKeyRecipient.accept(other.config(), pin, answer));
      holders.add(other);
    }
    return id;
  }

  private void withdraw(RuntimeException cause) {
    for (TokenAccess holder : holders) {
      try (Pin pin = holder.credentials().userPin()) {
        WrappingKeyRecipient.withdraw(holder.config(), pin, answers.getFirst(), cause);
      } catch (RuntimeException e) {
        log.error(
            "wrapping key {} stays in the token of device {}, unused: {}",
            answers.getFirst().wrappingKeyId(),
            holder.name(),
            e.getMessage());
        cause.addSuppressed(e);
      }
    }
  }

  private static <T> T withPin(TokenAccess token, Function<Pin, T> step) {
    return token.use(() -> {
      try (Pin pin = token.credentials().userPin()) {
        return step.apply(pin);
      }
    });
  }
}

package org.keywell.xks.api;

import java.util.Map;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;
import org.keywell.xks.store.XksKey;

/**
 * What a path asks for.
 *
 * @param key its name; empty for {@link Operation#GET_HEALTH_STATUS}
 */
record Route(Operation operation, String key) {

  private static final String ROOT = "/kms/xks/v1/";

  enum Operation {
    GET_KEY_METADATA("GetKeyMetadata"),
    ENCRYPT("Encrypt"),
    DECRYPT("Decrypt"),
    GET_HEALTH_STATUS("GetHealthStatus");

    private final String label;

    Operation(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private static final Map<String, Operation> ON_KEYS =
      Map.of(
          "metadata", Operation.GET_KEY_METADATA,
          "encrypt", Operation.ENCRYPT,
          "decrypt", Operation.DECRYPT);

  /**
   * Parses a target. Whatever a signature would encode, or a path would resolve, is refused.
   *
   * @param prefix of all paths: empty, or with a slash at its start and none at its end
   * @throws XksException with {@link XksError#INVALID_URI_PATH} if it is none
   */
  static Route of(String target, String prefix) {
    String root = prefix + ROOT;
    if (target.startsWith(root)) {
      String[] words = target.substring(root.length()).split("/", -1);
      if (words.length == 1 && words[0].equals("health")) {
        return new Route(Operation.GET_HEALTH_STATUS, "");
      }
      Operation operation = words.length == 3 ? ON_KEYS.get(words[2]) : null;
      if (operation != null && words[0].equals("keys") && XksKey.isName(words[1])) {
        return new Route(operation, words[1]);
      }
    }
    throw new XksException(XksError.INVALID_URI_PATH, "nothing is served at this path");
  }
}

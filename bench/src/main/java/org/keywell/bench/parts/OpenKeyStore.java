package org.keywell.bench.parts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.keywell.bench.parts.KeyStoreConnection.KeyStore;
import org.keywell.bench.rig.BenchService;
import org.keywell.loadgen.storage.XksKey;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A service's external key store with a key and connections. Closing it destroys the key. */
record OpenKeyStore(
    XksKey key, List<KeyStoreConnection> connections, String encrypt, String decrypt)
    implements AutoCloseable {
  private static final int DATA_KEY_BYTES = 32;
  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Makes the key, and encrypts a data key, which requests decrypt.
   *
   * @param folder for the key's name
   */
  static OpenKeyStore open(BenchService service, KeyStore store, Path folder, int connections)
      throws IOException, InterruptedException {
    XksKey key = XksKey.create(service.program(), folder, "bench-" + UUID.randomUUID());
    List<KeyStoreConnection> all = new ArrayList<>();
    OpenKeyStore opened = new OpenKeyStore(key, all, encryptBody(), "");
    try {
      for (int i = 0; i < connections; i++) {
        all.add(new KeyStoreConnection(store));
      }
      String encrypted = all.getFirst().post(opened.path("encrypt"), opened.encrypt);
      return new OpenKeyStore(key, all, opened.encrypt, decryptBody(encrypted));
    } catch (IOException | RuntimeException e) {
      try (opened) {
        throw e;
      }
    }
  }

  private static String encryptBody() {
    return body("Encrypt")
        .put("plaintext", Base64.getEncoder().encodeToString(new byte[DATA_KEY_BYTES]))
        .toString();
  }

  private static String decryptBody(String encrypted) {
    ObjectNode body = body("Decrypt");
    JSON.readTree(encrypted)
        .properties()
        .forEach(member -> body.set(member.getKey(), member.getValue()));
    return body.toString();
  }

  private static ObjectNode body(String operation) {
    ObjectNode body = JSON.createObjectNode().put("encryptionAlgorithm", "AES_GCM");
    body.putObject("requestMetadata")
        .put("awsPrincipalArn", "bench")
        .put("kmsKeyArn", "none")
        .put("kmsOperation", operation)
        .put("kmsRequestId", "bench");
    return body;
  }

  private String path(String operation) {
    return "/keys/%s/%s".formatted(key.name(), operation);
  }

  /** Has the store encrypt a data key. */
  void encrypt(KeyStoreConnection connection) throws IOException {
    String _ = connection.post(path("encrypt"), encrypt);
  }

  /** Has the store decrypt a data key. */
  void decrypt(KeyStoreConnection connection) throws IOException {
    String _ = connection.post(path("decrypt"), decrypt);
  }

  @Override
  public void close() throws IOException {
    try (key) {
      for (KeyStoreConnection connection : connections) {
        connection.close();
      }
    }
  }
}

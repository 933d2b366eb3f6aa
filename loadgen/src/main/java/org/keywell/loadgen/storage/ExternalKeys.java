package org.keywell.loadgen.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as an external key store. What is kept is its answer to {@code Encrypt}. */
record ExternalKeys(XksClient client, String key) implements DataKeys {
  private static final List<String> KEPT =
      List.of("ciphertext", "ciphertextMetadata", "initializationVector", "authenticationTag");

  @Override
  public byte[] wrap(byte[] dataKey) throws IOException, InterruptedException {
    String text = Base64.getEncoder().encodeToString(dataKey);
    JsonNode answer = ask("Encrypt", "encrypt", List.of(member("plaintext", text)));
    return answer.toString().getBytes(UTF_8);
  }

  @Override
  public byte[] unwrap(byte[] wrapped) throws IOException, InterruptedException {
    JsonNode kept = JsonMapper.shared().readTree(wrapped);
    List<String> members = new ArrayList<>();
    for (String name : KEPT) {
      if (kept.has(name)) {
        members.add(member(name, kept.path(name).asString()));
      }
    }
    return Base64.getDecoder()
        .decode(ask("Decrypt", "decrypt", members).path("plaintext").asString(""));
  }

  private JsonNode ask(String operation, String path, List<String> members)
      throws IOException, InterruptedException {
    String who =
        """
        "requestMetadata":{"awsPrincipalArn":"load-storage","kmsKeyArn":"none",\
        "kmsOperation":"%s","kmsRequestId":"load-storage"},"encryptionAlgorithm":"AES_GCM"\
        """
            .formatted(operation);
    return client.post(
        "/keys/%s/%s".formatted(key, path), "{%s,%s}".formatted(who, String.join(",", members)));
  }

  private static String member(String name, String value) {
    return "\"%s\":\"%s\"".formatted(name, value);
  }
}

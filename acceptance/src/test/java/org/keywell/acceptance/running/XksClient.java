package org.keywell.acceptance.running;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.keywell.loadgen.storage.SignedRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of an external key store, which signs its requests as the specification says. */
public final class XksClient implements AutoCloseable {

  /** The test's own credential. */
  public static final String ACCESS_KEY_ID = "KEYWELLTESTACCESSKEY23";

  /** Has the same secret. */
  public static final String OTHER_ACCESS_KEY_ID = "KEYWELLOTHERACCESSKEY2";

  public static final String SECRET =
      "a-secret-of-this-test-only-43-characters000".replace('-', '+');

  /** Writes a credentials file with both into a directory. */
  public static Path credentials(Path directory) throws IOException {
    Path file = directory.resolve("credentials");
    Files.writeString(
        file, "%s %s\n%s %s\n".formatted(ACCESS_KEY_ID, SECRET, OTHER_ACCESS_KEY_ID, SECRET));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** An answer, with how long it took. */
  public record Answer(int status, JsonNode body, long nanos) {

    public String text(String member) {
      return body.path(member).asString("");
    }

    public byte[] bytes(String member) {
      return Base64.getDecoder().decode(text(member));
    }
  }

  private final HttpClient http;
  private final URI base;
  private final String accessKeyId;
  private final String secret;

  /**
   * @param base up to and with {@code /kms/xks/v1}
   */
  public XksClient(SSLContext tls, URI base, String accessKeyId, String secret) {
    this.http =
        HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
    this.base = base;
    this.accessKeyId = accessKeyId;
    this.secret = secret;
  }

  public XksClient(SSLContext tls, URI base) {
    this(tls, base, ACCESS_KEY_ID, SECRET);
  }

  /** Encrypts without additional data. */
  public Answer encrypt(String key, String plaintext) throws IOException, InterruptedException {
    return post(
        "/keys/" + key + "/encrypt",
        body("Encrypt", "\"plaintext\":\"%s\",".formatted(base64(plaintext))));
  }

  /** Decrypts an answer of {@link #encrypt}. */
  public Answer decrypt(String key, Answer encrypted) throws IOException, InterruptedException {
    return decrypt(key, encrypted, "");
  }

  /**
   * Decrypts.
   *
   * @param more further members, each with its comma
   */
  public Answer decrypt(String key, Answer encrypted, String more)
      throws IOException, InterruptedException {
    StringBuilder members = new StringBuilder(more);
    for (String member :
        new String[] {
          "ciphertext", "ciphertextMetadata", "initializationVector", "authenticationTag"
        }) {
      members.append("\"%s\":\"%s\",".formatted(member, encrypted.text(member)));
    }
    return post("/keys/" + key + "/decrypt", body("Decrypt", members.toString()));
  }

  public static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /**
   * Returns a body.
   *
   * @param members each with its comma
   */
  public static String body(String kmsOperation, String members) {
    return """
    {"requestMetadata":{"awsPrincipalArn":"arn:aws:iam::123456789012:user/Alice",\
    "kmsKeyArn":"arn:aws:kms:us-east-2:123456789012:/key/1234","kmsOperation":"%s",\
    "kmsRequestId":"4112f4d6-db54-4af4-ae30-c55a22a8dfae"},%s"encryptionAlgorithm":"AES_GCM"}\
    """
        .formatted(kmsOperation, members);
  }

  /** Asks for the status of the store. */
  public Answer health() throws IOException, InterruptedException {
    return post(
        "/health",
        "{\"requestMetadata\":{\"kmsRequestId\":\"r\",\"kmsOperation\":\"KmsHealthCheck\"}}");
  }

  public Answer post(String path, String body) throws IOException, InterruptedException {
    URI uri = URI.create(base + path);
    HttpRequest request = SignedRequest.of(uri, body, accessKeyId, secret).build();
    long begin = System.nanoTime();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    long nanos = System.nanoTime() - begin;
    return new Answer(response.statusCode(), JsonMapper.shared().readTree(response.body()), nanos);
  }

  @Override
  public void close() {
    http.close();
  }
}

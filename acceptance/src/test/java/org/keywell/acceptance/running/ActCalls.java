package org.keywell.acceptance.running;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import tools.jackson.databind.json.JsonMapper;

/** The calls of acts in two calls, over SHA-256. */
public final class ActCalls {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpApi http;

  public ActCalls(HttpApi http) {
    this.http = http;
  }

  /** An acceptable body of {@code POST /acts}. */
  public static SignBody body(UUID actId, KeySpec spec, int digests) {
    return SignBody.of("-")
        .without("digest")
        .with("digestAlgorithm", DigestAlgorithm.SHA_256.label())
        .with("actId", actId.toString())
        .with("digestCount", digests)
        .keySpec(spec);
  }

  public HttpApi.Answer open(SignBody body) throws IOException, InterruptedException {
    return http.post("/acts", "application/json", HttpRequest.BodyPublishers.ofString(body.json()));
  }

  public HttpApi.Answer sign(UUID actId, List<byte[]> digests)
      throws IOException, InterruptedException {
    List<String> texts =
        digests.stream().map(digest -> Base64.getEncoder().encodeToString(digest)).toList();
    return http.post(
        "/acts/" + actId + "/sign",
        "application/json",
        HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(Map.of("digests", texts))));
  }

  public HttpApi.Answer find(UUID actId) throws IOException, InterruptedException {
    return http.get("/acts/" + actId);
  }

  public HttpApi.Answer cancel(UUID actId) throws IOException, InterruptedException {
    return http.send(http.request("/acts/" + actId).DELETE());
  }

  /** So many digests, all different, and others for each name. */
  public static List<byte[]> digests(String name, int count) {
    List<byte[]> digests = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      digests.add(sha256(name + " " + i));
    }
    return digests;
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}

package org.keywell.testkit;

import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;

/** Answers as a real service gives them. */
public final class Answers {
  private static final Base64.Encoder BASE64 = Base64.getEncoder();

  public static final String POOL =
      """
      {"mode":"pooled","queue":{"length":3,"limit":150},"pools":[
        {"keySpec":"RSA-2048","stored":12,"loaded":100,"maxStored":1000,"loadedCapacity":200,
         "lowWater":50,"generated":12,"used":0}]}
      """;

  private Answers() {}

  public static String pool(int stored, int loaded) {
    return POOL.replace("\"stored\":12", "\"stored\":" + stored)
        .replace("\"loaded\":100", "\"loaded\":" + loaded);
  }

  public static String signed(TestIdentity identity, String algorithm, byte[] signature)
      throws Exception {
    String certificate = BASE64.encodeToString(identity.certificateDer());
    return """
    {"requestId":"6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11","signature":"%s","signatureAlgorithm":"%s",
     "certificateChain":["%s","%s"],"preGeneratedKeyPair":true,
     "timestamps":{"requestReceived":"2026-01-02T03:04:05.000100Z",
       "requestStartToProcess":"2026-01-02T03:04:05.000200Z",
       "requestGotKeyPair":"2026-01-02T03:04:05.000300Z",
       "signed":"2026-01-02T03:04:05.001300Z","certified":"2026-01-02T03:04:05.003300Z",
       "keyDestroyed":"2026-01-02T03:04:05.003400Z",
       "requestFinished":"2026-01-02T03:04:05.004600Z"},
     "waitingTimeMicros":100,"processTimeMicros":4400,"addedByALaterVersion":1}
    """
        .formatted(BASE64.encodeToString(signature), algorithm, certificate, certificate);
  }

  /**
   * A signature as the HSM would make it.
   *
   * @param digest such as {@code SHA-256}
   */
  public static byte[] sign(TestIdentity identity, String algorithm, String digest, byte[] content)
      throws Exception {
    String hash = digest.replace("-", "");
    Signature signer =
        switch (algorithm) {
          case "RSASSA-PSS" -> {
            Signature pss = Signature.getInstance("RSASSA-PSS");
            int bytes = Integer.parseInt(hash.substring(3)) / 8;
            pss.setParameter(
                new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), bytes, 1));
            yield pss;
          }
          case "ECDSA" -> Signature.getInstance(hash + "withECDSA");
          default -> Signature.getInstance(hash + "withRSA");
        };
    signer.initSign(identity.key());
    signer.update(content);
    return signer.sign();
  }
}

package org.keywell.dss;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.keywell.client.KeywellClient;
import org.keywell.client.SignResponse;
import org.keywell.testkit.StubService;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.TreeHash;

/** Proofs of a log with one entry. */
class LogProofsTest {
  private static final String ID = "4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e";
  private static final String ORIGIN = "sign.example.org/log";
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final byte[] DIGEST = new byte[32];
  private static final byte[] CERTIFICATE = {1, 2, 3};

  private StubService service;
  private KeywellClient client;
  private KeyPair pair;

  @BeforeEach
  void start() throws Exception {
    service = StubService.start();
    client = new KeywellClient(service.uri());
    pair = newPair();
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private static KeyPair newPair() throws Exception {
    return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  private static String key(KeyPair of) {
    return NoteKey.of(ORIGIN, of.getPublic()) + "\n";
  }

  private byte[] logged(String request, byte[] digest, byte[] certificate) throws Exception {
    byte[] entry =
        """
        {"certificateSha256":"%s","digests":["%s"],"request":"%s","status":"signed",\
        "type":"request","v":1}\
        """
            .formatted(
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate)),
                Base64.getEncoder().encodeToString(digest),
                request)
            .getBytes(UTF_8);
    Checkpoint tree = new Checkpoint(ORIGIN, 1, TreeHash.ofLeaf(entry));
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update(tree.text().getBytes(UTF_8));
    NoteKey key = NoteKey.of(ORIGIN, pair.getPublic());
    SignedNote note =
        new SignedNote(
            tree.text(), List.of(new NoteSignature(key.name(), key.id(), signer.sign())));
    byte[] proof = new TlogProof(entry, 0, List.of(), note).bytes();
    service.when("GET /log/proof/" + ID, _ -> new StubService.Answer(200, "text/plain", proof));
    return proof;
  }

  private static SignedDocuments signed() {
    SignResponse.Timestamps none =
        new SignResponse.Timestamps(null, null, null, null, null, null, null);
    return new SignedDocuments(
        List.of(),
        List.of(DIGEST),
        new SignResponse(ID, new byte[1], "Ed25519", List.of(CERTIFICATE), true, none, 0, 0),
        new SigningTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO));
  }

  private void refused(String keys, String why) {
    assertThatThrownBy(() -> new LogProofs(client, keys).of(signed(), PATIENCE))
        .isInstanceOf(LogProofException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aProofThatHoldsIsReturnedAsItIs() throws Exception {
    byte[] proof = logged(ID, DIGEST, CERTIFICATE);

    assertThat(new LogProofs(client, key(pair)).of(signed(), PATIENCE)).isEqualTo(proof);
  }

  @Test
  void anotherKeyDoesNotVerifyIt() throws Exception {
    logged(ID, DIGEST, CERTIFICATE);

    refused(key(newPair()), "no key of the log has signed");
  }

  @Test
  void whatWasLoggedIsThisAct() throws Exception {
    logged("another", DIGEST, CERTIFICATE);
    refused(key(pair), "request another instead of " + ID);
    logged(ID, new byte[31], CERTIFICATE);
    refused(key(pair), "other digests");
    logged(ID, DIGEST, new byte[] {4});
    refused(key(pair), "certificateSha256");
  }
}

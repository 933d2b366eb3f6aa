package org.keywell.bench.parts;

import java.io.IOException;
import java.util.List;
import org.keywell.bench.rig.Stock;
import org.keywell.client.ActRequest;
import org.keywell.client.Container;
import org.keywell.client.Digest;
import org.keywell.client.KeywellClient;
import org.keywell.client.SignRequest;
import org.keywell.client.SignRequestBuilder;
import org.keywell.client.SignResponse;
import org.keywell.client.Signer;

/** The forms in which one digest can be signed, the simplest first. */
enum Form {
  /** The bare digest; the certificate follows the signature. */
  BARE("bare"),
  /** The certificate comes first, and the service puts the signature into a CMS. */
  CONTAINED("CMS in one call"),
  /** The first call gets the certificate, the second one brings the digest. */
  IN_TWO_CALLS("two calls");

  private static final Signer SIGNER = Signer.named("Keywell Bench");
  private static final byte[] DIGEST = new byte[32];

  private final String label;

  Form(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /**
   * Signs with an EC key.
   *
   * @throws IOException if the service refuses or does not answer
   */
  SignResponse sign(KeywellClient client) throws IOException, InterruptedException {
    return switch (this) {
      case BARE -> client.sign(request().build()).orThrow();
      case CONTAINED ->
          client.sign(request().container(Container.CADES_BASELINE_B).build()).orThrow();
      case IN_TWO_CALLS -> {
        ActRequest act = ActRequest.of(Digest.SHA_256, 1).signer(SIGNER).keySpec(Stock.EC).build();
        yield client.signAct(client.openAct(act).actId(), List.of(DIGEST));
      }
    };
  }

  private static SignRequestBuilder request() {
    return SignRequest.of(Digest.SHA_256).digest(DIGEST).signer(SIGNER).keySpec(Stock.EC);
  }
}

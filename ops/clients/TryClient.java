import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.keywell.generated.ApiClient;
import org.keywell.generated.ApiException;
import org.keywell.generated.api.ActsInTwoCallsApi;
import org.keywell.generated.api.CertificationAuthorityApi;
import org.keywell.generated.api.OperationsApi;
import org.keywell.generated.api.SigningApi;
import org.keywell.generated.model.Act;
import org.keywell.generated.model.ActDigests;
import org.keywell.generated.model.ActRequest;
import org.keywell.generated.model.SignRequest;
import org.keywell.generated.model.SignResponse;
import org.keywell.generated.model.Signer;

/**
 * Signs three documents with the client that was generated, in each form, and writes what came for
 * openssl to look at: {@code java TryClient URL TOKEN DOCUMENTS OUT}. try_client.py does the same.
 */
public final class TryClient {

  private final SigningApi signing;
  private final ActsInTwoCallsApi acts;
  private final Path out;
  private final List<byte[]> digests;

  private TryClient(ApiClient client, Path out, List<byte[]> digests) {
    this.signing = new SigningApi(client);
    this.acts = new ActsInTwoCallsApi(client);
    this.out = out;
    this.digests = digests;
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + arguments[1]));
    List<byte[]> digests = new ArrayList<>();
    for (int document = 1; document <= 3; document++) {
      digests.add(sha256(Path.of(arguments[2], Integer.toString(document))));
    }
    TryClient trial = new TryClient(client, Path.of(arguments[3]), List.copyOf(digests));
    trial.bare();
    trial.several();
    trial.contained();
    trial.inTwoCalls();
    trial.cancelled();
    trial.refused();
    Files.copy(new CertificationAuthorityApi(client).chain().toPath(), trial.out.resolve("ca.pem"));
    require(!new OperationsApi(client).status().getPools().isEmpty(), "there is no pool");
  }

  private static byte[] sha256(Path document) throws IOException, GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(document));
  }

  private SignRequest request() {
    return new SignRequest()
        .digestAlgorithm(SignRequest.DigestAlgorithmEnum.SHA_256)
        .keySpec(SignRequest.KeySpecEnum.EC_P256)
        .signer(signer());
  }

  private static Signer signer() {
    return new Signer().commonName("Åsa Öberg").country("SE");
  }

  private void bare() throws ApiException, IOException {
    SignResponse answer = signing.sign(request().digest(digests.get(0)), null);
    write("bare", answer);
    SignResponse again = signing.result(answer.getRequestId());
    require(
        Arrays.equals(answer.getSignature(), again.getSignature()), "the stored result differs");
  }

  private void several() throws ApiException, IOException {
    write("several", signing.sign(request().digests(digests), null));
  }

  private void contained() throws ApiException, IOException {
    SignResponse answer =
        signing.sign(
            request()
                .digests(digests)
                .container(SignRequest.ContainerEnum.fromValue("CAdES-BASELINE-B")),
            null);
    require(answer.getContainers().size() == 3, "not a container for each digest");
    for (int i = 0; i < 3; i++) {
      Files.write(out.resolve("contained-" + (i + 1) + ".p7s"), answer.getContainers().get(i));
    }
  }

  /** The certificate is known before the digests. */
  private void inTwoCalls() throws ApiException, IOException {
    Act act = acts.openAct(opening(), null);
    require(act.getStatus() == Act.StatusEnum.OPEN, "not open");
    SignResponse answer = acts.signAct(act.getActId(), new ActDigests().digests(digests));
    write("act", answer);
    writeChain("act", act.getCertificateChain());
  }

  private void cancelled() throws ApiException {
    UUID act = acts.openAct(opening(), null).getActId();
    acts.cancelAct(act);
    require(acts.findAct(act).getStatus() == Act.StatusEnum.CANCELLED, "not cancelled");
    try {
      acts.signAct(act, new ActDigests().digests(digests));
      throw new AssertionError("a cancelled act signs");
    } catch (ApiException e) {
      require(e.getCode() == 410, "status " + e.getCode());
    }
  }

  private static ActRequest opening() {
    return new ActRequest()
        .digestAlgorithm(ActRequest.DigestAlgorithmEnum.SHA_256)
        .digestCount(3)
        .keySpec(ActRequest.KeySpecEnum.EC_P256)
        .signer(signer());
  }

  private void refused() {
    try {
      signing.result(UUID.randomUUID());
      throw new AssertionError("a request that never was has a result");
    } catch (ApiException e) {
      require(e.getCode() == 404, "status " + e.getCode());
      require(e.getResponseBody().contains("urn:keywell:problem:request-unknown"), e.getMessage());
    }
  }

  private void write(String name, SignResponse answer) throws IOException {
    List<byte[]> signatures = answer.getSignatures();
    require(Arrays.equals(answer.getSignature(), signatures.get(0)), "the first one differs");
    for (int i = 0; i < signatures.size(); i++) {
      Files.write(out.resolve(name + "-" + (i + 1) + ".sig"), signatures.get(i));
    }
    writeChain(name, answer.getCertificateChain());
  }

  private void writeChain(String name, List<byte[]> chain) throws IOException {
    StringBuilder pem = new StringBuilder();
    for (byte[] certificate : chain) {
      pem.append("-----BEGIN CERTIFICATE-----\n")
          .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate))
          .append("\n-----END CERTIFICATE-----\n");
    }
    Files.writeString(out.resolve(name + ".pem"), pem);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}

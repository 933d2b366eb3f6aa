package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.TlsCallers;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.Await;

/** A log that everyone may read, at a port that asks for certificates, and those who have none. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PublicLogIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String CALLER = "caller";

  private final HttpRequest.Builder any = HttpRequest.newBuilder();
  private Site site;
  private RunningKeywell keywell;
  private HttpClient nobody;
  private UUID signed;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    TlsCallers callers = TlsCallers.create(files, Map.of(CALLER, ""));
    nobody = callers.client(null);
    site = Site.create(home);
    site.stock(SPEC, 1);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, 1),
                callers.settings(),
                Map.of(
                    "server.ssl.client-auth", "want",
                    "keywell.log.origin", "sign.example.org/log",
                    "keywell.log.public", "true")));
    signed = UUID.randomUUID();
    HttpApi http = callers.http(keywell.port(), CALLER);
    SignBody body = SignBody.of("document").requestId(signed).keySpec(SPEC);
    assertThat(http.sign(body.scheme(SignatureScheme.ECDSA)).status()).isEqualTo(200);
    Await.until("the log has it", () -> get("/log/proof/" + signed).statusCode() == 200);
  }

  @AfterAll
  void stop() {
    nobody.close();
    keywell.close();
    site.close();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return nobody.send(
        any.copy().uri(TlsCallers.base(keywell.port()).resolve(path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/log/checkpoint", "/log/key", "/log/tile/0/000.p/1"})
  void everyoneReadsIt(String path) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(200);
  }

  @Test
  void sharedCachesMayKeepWhatNeverChanges() throws Exception {
    assertThat(get("/log/tile/entries/000.p/1").headers().firstValue("Cache-Control").orElseThrow())
        .contains("public", "immutable");
    assertThat(get("/log/checkpoint").headers().firstValue("Cache-Control")).hasValue("no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/sign/4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e", "/pool", "/ca/chain", "/", "/log"})
  void everythingElseIsForCallers(String path) throws Exception {
    assertUnknown(get(path));
  }

  @Test
  void nobodySignsOrReadsAResult() throws Exception {
    assertUnknown(get("/sign/" + signed));
    for (String path : new String[] {"/sign", "/log/checkpoint"}) {
      assertUnknown(
          nobody.send(
              any.copy()
                  .uri(TlsCallers.base(keywell.port()).resolve(path))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString("{}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString()));
    }
  }

  private static void assertUnknown(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("urn:keywell:problem:caller-unknown");
  }
}

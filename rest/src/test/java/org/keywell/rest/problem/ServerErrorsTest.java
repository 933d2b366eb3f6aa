package org.keywell.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.RawHttp;

/** What the web server itself refuses, before Spring sees it, octet by octet; at both ports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServerErrorsTest {

  private static final String END = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private EdgeServer server;

  @BeforeAll
  void start() {
    server = EdgeServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private record Case(String name, int status, String problem, String request) {}

  private static List<Case> cases() {
    return List.of(
        new Case("no such address", 404, "not-found", "GET /nowhere" + END),
        new Case("the address for errors", 404, "not-found", "GET /error" + END),
        new Case("TRACE", 405, "method-not-allowed", "TRACE /echo" + END),
        bad("CONNECT", 501, "CONNECT localhost:80" + END),
        bad("no target", 400, "GET\r\n\r\n"),
        bad("not HTTP at all", 400, "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"),
        bad("brackets in the target", 400, "GET /<script>" + END),
        bad("a target that begins nowhere", 400, "GET echo" + END),
        bad("a way up", 400, "GET /../echo" + END),
        bad("an encoded solidus", 400, "GET /%2fecho" + END),
        bad("an overlong solidus", 400, "GET /%c0%afecho" + END),
        bad("an overlong letter", 400, "GET /ech%c1%af" + END),
        bad("half a sequence of UTF-8", 400, "GET /echo%c3" + END),
        bad("an encoded surrogate", 400, "GET /echo%ed%a0%80" + END),
        bad("a version to come", 505, "GET /echo HTTP/3.7\r\nHost: localhost\r\n\r\n"),
        bad("no host", 400, "GET /echo HTTP/1.1\r\nConnection: close\r\n\r\n"),
        bad("two hosts", 400, "GET /echo HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
        bad("a header that is none", 400, "GET /echo HTTP/1.1\r\nHost: localhost\r\nx y\r\n\r\n"),
        bad("a long header", 400, "GET /echo HTTP/1.1\r\nX: " + "x".repeat(10_000) + "\r\n\r\n"),
        bad("an unknown coding", 501, post("Transfer-Encoding: zip\r\n\r\n")),
        bad("two lengths", 400, post("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x")),
        bad("a length below zero", 400, post("Content-Length: -2\r\n\r\n{}")),
        bad("a bad chunk", 400, post("Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")),
        bad(
            "an unended chunk",
            400,
            post("Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n")));
  }

  @TestFactory
  Stream<DynamicTest> refusals() {
    return cases().stream()
        .flatMap(one ->
            Stream.of(
                DynamicTest.dynamicTest(
                    one.name(), () -> assertRefused(one, one.request(), server.port())),
                DynamicTest.dynamicTest(
                    one.name() + ", management",
                    () -> assertRefused(one, atManagement(one), server.managementPort()))));
  }

  /** A body is read at an address only that there is. */
  private static String atManagement(Case one) {
    return one.request().replace("POST /echo ", "POST /actuator/health ");
  }

  private static void assertRefused(Case one, String request, int port) throws Exception {
    RawHttp.Answer answer = RawHttp.send(port, request);

    assertThat(answer.status()).as(answer.toString()).isEqualTo(one.status());
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.header("Server")).isEmpty();
    assertThat(answer.body())
        .contains("\"urn:keywell:problem:" + one.problem() + '"', "\"status\":" + one.status())
        .doesNotContain("Tomcat", "<", "Exception", "apache", "script", "timestamp");
    if (one.status() == 405) {
      assertThat(answer.header("Allow")).contains("GET").doesNotContain("TRACE");
    }
  }

  /**
   * It has neither status line nor headers, so that a cache or a browser may take it for anything.
   */
  @Test
  void http09IsNotSpoken() throws Exception {
    assertThat(RawHttp.send(server.port(), "GET /echo\r\n").body()).doesNotContain("hello");
    assertThat(RawHttp.send(server.managementPort(), "GET /actuator/health\r\n").body())
        .doesNotContain("UP");
  }

  @Test
  void aMethodThatIsNotAllowedIsToldWhichAre() throws Exception {
    RawHttp.Answer service = RawHttp.send(server.port(), "DELETE /echo" + END);
    assertThat(service.status()).isEqualTo(405);
    assertThat(service.header("Allow").split(", ?")).containsExactlyInAnyOrder("GET", "POST");

    RawHttp.Answer management =
        RawHttp.send(server.managementPort(), "DELETE /actuator/health" + END);
    assertThat(management.status()).isEqualTo(405);
    assertThat(management.header("Allow")).isEqualTo("GET");
    assertThat(management.body()).contains("urn:keywell:problem:method-not-allowed");
  }

  @Test
  void anAnswerThatIsNotWantedIsNotMade() throws Exception {
    for (String accept :
        List.of(
            "application/xml",
            "text/html, application/problem+json",
            "application/json;q=0",
            "application/json;q=0, */*",
            "*/*;q=0",
            "x")) {
      RawHttp.Answer answer =
          RawHttp.send(
              server.port(),
              post("Accept: " + accept + "\r\nContent-Length: 12\r\n\r\n{\"text\":\"a\"}"));
      assertThat(answer.status()).as(accept).isEqualTo(406);
      assertThat(answer.body()).contains("urn:keywell:problem:not-acceptable");
    }
    for (String accept :
        List.of("*/*", "application/*", "text/html, */*;q=0.1", "*/*;q=0, application/json")) {
      assertThat(
              RawHttp.send(
                      server.port(),
                      post("Accept: " + accept + "\r\nContent-Length: 12\r\n\r\n{\"text\":\"a\"}"))
                  .status())
          .as(accept)
          .isEqualTo(200);
    }
  }

  /** Two spellings of a character are two names for the same thing, and filters see but one. */
  @Test
  void aBodyIsStrictUtf8() throws Exception {
    for (String letter :
        List.of("\u00c1\u00a8", "\u00e0\u0081\u00a8", "\u00ed\u00a0\u0080", "\u00ff")) {
      RawHttp.Answer answer = echo(letter);
      assertThat(answer.status()).as(letter).isEqualTo(400);
      assertThat(answer.body()).contains("urn:keywell:problem:malformed-json");
    }
    RawHttp.Answer good = echo("\u00c3\u00a5\u00f0\u009f\u0094\u0091");
    assertThat(good.body()).contains("\u00c3\u00a5\u00f0\u009f\u0094\u0091");
  }

  private RawHttp.Answer echo(String text) throws Exception {
    String body = "{\"text\":\"" + text + "\"}";
    return RawHttp.send(
        server.port(), post("Content-Length: " + body.length() + "\r\n\r\n" + body));
  }

  private static Case bad(String name, int status, String request) {
    return new Case(name, status, "bad-http-request", request);
  }

  private static String post(String rest) {
    return "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Content-Type: application/json\r\n"
        + rest;
  }
}

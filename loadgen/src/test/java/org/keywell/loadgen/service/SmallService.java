package org.keywell.loadgen.service;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.keywell.loadgen.StubService;
import org.keywell.loadgen.StubService.Reaction;
import org.keywell.loadgen.TestChain;

/**
 * A process of its own that stands for the service: it is started, configured and ended as the
 * service is, and behaves as its environment says.
 */
public final class SmallService {
  /** After how many requests of a run it does not sign any more, by mode. */
  private static final String SIGNS = "SMALL_SIGNS_";

  private static final String REACTS = "SMALL_REACTS";
  private static final String ENDS = "SMALL_ENDS";
  private static final String SAYS_MODE = "SMALL_SAYS_MODE";

  private static final String KEYS = "SMALL_KEYS";
  private static final String GONE = "SMALL_GONE";
  private static final String LOADS = "SMALL_LOADS";

  private SmallService() {}

  /** Such a program, with more in its environment. */
  public static ServiceProgram program(Path home, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("SERVER_PORT", "");
    environment.putAll(more);
    return new ServiceProgram(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SmallService.class.getName(),
            home.toString()),
        environment,
        home.resolve("logs"),
        Redirect.to(home.resolve("fill.log").toFile()));
  }

  /**
   * Signs the first requests of a service in that mode, and has another reaction for the others.
   */
  public static Map<String, String> signing(String mode, int requests, Reaction then) {
    return Map.of(SIGNS + mode, Integer.toString(requests), REACTS, then.name());
  }

  /** Says that it is in a mode, whatever it was told. */
  public static Map<String, String> sayingMode(String mode) {
    return Map.of(SAYS_MODE, mode);
  }

  /** Has so many keys, and says once that it has some besides, which are gone. */
  public static Map<String, String> having(int keys, int gone) {
    return Map.of(KEYS, Integer.toString(keys), GONE, Integer.toString(gone));
  }

  /** Leaves its keys in the database. */
  public static Map<String, String> loadingNone() {
    return Map.of(LOADS, "0");
  }

  /** Ends as soon as it starts. */
  public static Map<String, String> endingWith(int exitCode) {
    return Map.of(ENDS, Integer.toString(exitCode));
  }

  /** Makes keys, and ends when it is to be a service. */
  public static Map<String, String> endingAfterKeys() {
    return Map.of(ENDS, "after keys");
  }

  /** Does not end when it is told to. */
  public static Map<String, String> neverEnding() {
    return Map.of(ENDS, "never");
  }

  static void main(String[] arguments) throws Exception {
    Map<String, String> environment = System.getenv();
    Path home = Path.of(arguments[0]);
    String ends = environment.getOrDefault(ENDS, "in order");
    System.out.println("SmallService: " + String.join(" ", arguments));
    if (ends.matches("[0-9]+")) {
      System.out.println("this is why");
      System.out.println();
      System.exit(Integer.parseInt(ends));
    }
    if (arguments[1].equals("fill")) {
      Files.writeString(
          home.resolve("filled"),
          arguments[2] + " " + arguments[4] + " " + environment.get("KEYWELL_HSM_PROFILE"));
      return;
    }
    if (ends.equals("after keys")) {
      System.exit(1);
    }
    String mode = environment.getOrDefault("KEYWELL_POOL_MODE", "pooled");
    StubService stub =
        StubService.start(TestChain.make(), Integer.parseInt(environment.get("SERVER_PORT")));
    stub.sayMode(environment.getOrDefault(SAYS_MODE, mode));
    stub.hold(Integer.parseInt(environment.getOrDefault(KEYS, "100000")));
    stub.lagBehind(Integer.parseInt(environment.getOrDefault(GONE, "0")));
    stub.load(Integer.parseInt(environment.getOrDefault(LOADS, "100000")));
    int signs =
        Integer.parseInt(
            environment.getOrDefault(SIGNS + mode, Integer.toString(Integer.MAX_VALUE)));
    Reaction then = Reaction.valueOf(environment.getOrDefault(REACTS, "SIGN"));
    stub.behave(arrival -> arrival <= signs ? Reaction.SIGN : then);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              tell(stub);
              if (ends.equals("never")) {
                stayForever();
              }
            }));
  }

  private static void tell(StubService stub) {
    stub.testIds().stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
        .forEach((id, count) -> System.out.println(count + " requests of " + id));
    System.out.println("ended in order");
  }

  private static void stayForever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

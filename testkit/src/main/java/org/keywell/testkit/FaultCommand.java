package org.keywell.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/** Controls a {@link FaultyModule} by hand and from scripts; see CONTRIBUTING.md. */
public final class FaultCommand {

  private static final String USAGE =
      """
      DIRECTORY create
      MODULE fail FUNCTION CK_RV [TIMES]
      MODULE delay FUNCTION MILLISECONDS [TIMES]
      MODULE hang FUNCTION [TIMES]
      MODULE forget-session FUNCTION [TIMES]
      MODULE corrupt FUNCTION [PER_THOUSAND]
      MODULE clear FUNCTION
      MODULE forget-sessions | fail-over | forget-objects | log-out
      MODULE gone CK_RV | back | freeze | thaw
      MODULE calls FUNCTION\
      """;

  private FaultCommand() {}

  /**
   * Runs one command, or shows the usage.
   *
   * @param arguments as in the usage; numbers are decimal, or hexadecimal after 0x
   */
  public static void main(String[] arguments) throws IOException {
    try {
      run(List.of(arguments), System.out);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      System.err.println("usage:\n" + USAGE);
      System.exit(2);
    }
  }

  private static void run(List<String> words, PrintStream out) throws IOException {
    Path path = Path.of(words.get(0)).toAbsolutePath();
    String command = words.get(1);
    if (command.equals("create")) {
      create(path, out);
      return;
    }
    // Not closed: that would end the faults.
    FaultyModule module = FaultyModule.at(path);
    switch (command) {
      case "fail" ->
          module.inject(words.get(2), times(Fault.returning(number(words.get(3))), words, 4));
      case "delay" ->
          module.inject(
              words.get(2),
              times(Fault.delayedBy(Duration.ofMillis(number(words.get(3)))), words, 4));
      case "hang" -> module.inject(words.get(2), times(Fault.hanging(), words, 3));
      case "forget-session" ->
          module.inject(words.get(2), times(Fault.forgettingItsSession(), words, 3));
      case "corrupt" ->
          module.inject(
              words.get(2),
              Fault.corrupting()
                  .perThousand(words.size() > 3 ? Math.toIntExact(number(words.get(3))) : 1000));
      case "clear" -> module.clear(words.get(2));
      case "forget-sessions" -> module.forgetSessions();
      case "fail-over" -> module.failOver();
      case "forget-objects" -> module.forgetObjects();
      case "log-out" -> module.logOut();
      case "gone" -> module.gone(number(words.get(2)));
      case "back" -> module.back();
      case "freeze" -> module.freeze();
      case "thaw" -> module.thaw();
      case "calls" -> out.println(module.calls(words.get(2)));
      default -> throw new IllegalArgumentException(command);
    }
  }

  /** Prints the environment for a service that the launcher starts. */
  private static void create(Path directory, PrintStream out) throws IOException {
    FaultyModule module = FaultyModule.create(directory);
    out.println("export KEYWELL_HSM_MODULE=" + module.path());
    out.println("export KEYWELL_HSM_PINFILE=" + writePin(directory.resolve("pin")));
    out.println("export KEYWELL_HSM_SOPINFILE=" + writePin(directory.resolve("so-pin")));
    out.println("export KEYWELL_HSM_BOOTSTRAP=if-missing");
  }

  private static Path writePin(Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, new String(RandomPin.characters()) + "\n");
  }

  private static Fault times(Fault fault, List<String> words, int index) {
    return words.size() > index ? fault.times(number(words.get(index))) : fault;
  }

  private static long number(String text) {
    return Long.decode(text);
  }
}

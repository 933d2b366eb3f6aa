package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.messages.Guard;
import org.keywell.loadgen.messages.Layout;
import org.keywell.loadgen.messages.MessagesPlan;
import picocli.CommandLine.Option;

/** What {@code load messages} measures. */
final class MessagesOptions {

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "3",
      description = "Seconds of each measurement, 1 to 300; default: ${DEFAULT-VALUE}.")
  private int seconds = 3;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "Unmeasured seconds before each measurement, with the same clients, 0 to 300; default:"
              + " ${DEFAULT-VALUE}.")
  private int warmUp = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds of all measurements, 1 to 100; figures are medians of the rounds; default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--clients",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "1,10,50",
      description =
          "Numbers of clients that send requests at the same time, 1 to 200 each, at most 10;"
              + " default: ${DEFAULT-VALUE}.")
  private List<Integer> clients = new ArrayList<>();

  @Option(
      names = "--queues",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "one,ten,dedicated",
      description =
          "Queues for requests: one or ten with persistent messages, or dedicated, which is a queue"
              + " for each client and messages that are not persistent; default: ${DEFAULT-VALUE}.")
  private List<Layout> queues = new ArrayList<>();

  @Option(
      names = "--qualities",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "none,integrity,privacy,confidentiality-32,confidentiality,tls",
      description =
          "How messages are protected: none; integrity (signed); privacy (signed and encrypted);"
              + " confidentiality-32 (encrypted, 32 messages share a key) or confidentiality (all"
              + " share one); tls (between clients and broker alone); default: ${DEFAULT-VALUE}.")
  private List<Guard> qualities = new ArrayList<>();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "${KEYWELL_HOME}",
      description =
          "Where the broker keeps its data until the end, below the folder logs; 1 GB must be free;"
              + " default: KEYWELL_HOME.")
  private @Nullable Path data;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Report folder; default: load-reports/TIME-messages. It must be empty or missing.")
  private @Nullable Path out;

  MessagesPlan plan() throws MisuseException {
    require(seconds, 1, 300, "--seconds");
    require(warmUp, 0, 300, "--warm-up");
    require(rounds, 1, 100, "--rounds");
    require(clients.size(), 1, 10, "the number of --clients");
    for (int each : clients) {
      require(each, 1, 200, "--clients");
    }
    return new MessagesPlan(seconds, warmUp, rounds, clients, queues, qualities);
  }

  Path data() throws MisuseException {
    if (data == null || data.toString().isEmpty()) {
      throw new MisuseException("--data is missing, and KEYWELL_HOME is not set");
    }
    return data;
  }

  Path out(RunName name) {
    return out == null ? Path.of("load-reports", name.folder()) : out;
  }

  private static void require(int value, int least, int most, String what) throws MisuseException {
    if (value < least || value > most) {
      throw new MisuseException("%s is %d, expected %d to %d".formatted(what, value, least, most));
    }
  }
}

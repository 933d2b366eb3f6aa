package org.keywell.loadgen.tls;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.keywell.loadgen.service.BoundedRun;

/** Measures both servers, scenario by scenario, in rounds. One thread uses it. */
public final class TlsRun {
  /** For the last connection, which may have a large file, and the start. */
  private static final Duration SLACK = Duration.ofSeconds(60);

  private record Scene(String suite, FileSize size) {}

  /**
   * A server as the client sees it.
   *
   * @param answers bytes of each file's answer, head included
   */
  private record Server(String name, int port, Map<FileSize, Long> answers) {
    long answer(FileSize size) {
      return Objects.requireNonNull(answers.get(size));
    }
  }

  private final TlsPlan plan;
  private final TrialSite site;
  private final OpenSsl openSsl;
  private final Server service;
  private final Server sServer;
  private int done;
  private volatile String progress = "";

  /**
   * Checks that both servers serve all files.
   *
   * @throws IOException if one does not
   */
  public TlsRun(TlsPlan plan, TrialSite site, OpenSsl openSsl, int servicePort, int sServerPort)
      throws IOException {
    this.plan = plan;
    this.site = site;
    this.openSsl = openSsl;
    this.service = checked("the service", servicePort, site, plan);
    this.sServer = checked("s_server", sServerPort, site, plan);
  }

  private static Server checked(String name, int port, TrialSite site, TlsPlan plan)
      throws IOException {
    Map<FileSize, Long> answers = new LinkedHashMap<>();
    for (FileSize size : plan.sizes()) {
      answers.put(size, Answer.bytes(port, name, site, size));
    }
    return new Server(name, port, answers);
  }

  /** Returns what is being measured, in a line; for any thread. */
  public String progress() {
    return progress;
  }

  /**
   * Measures everything.
   *
   * @throws IOException if anything could not be measured: then there are no figures at all
   */
  public List<TlsScenario> call() throws IOException, InterruptedException {
    warmUp();
    Map<Scene, List<TlsScenario.Round>> rounds = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds(); round++) {
      for (String suite : plan.suites()) {
        for (FileSize size : plan.sizes()) {
          Scene scene = new Scene(suite, size);
          rounds.computeIfAbsent(scene, _ -> new ArrayList<>()).add(round(scene, round));
        }
      }
    }
    List<TlsScenario> all = new ArrayList<>();
    rounds.forEach((scene, each) -> all.add(new TlsScenario(scene.suite, scene.size, each)));
    return all;
  }

  private void warmUp() throws IOException, InterruptedException {
    if (plan.warmUpSeconds() > 0) {
      for (String suite : plan.suites()) {
        progress = "warming the service up with " + suite;
        measure(service, new Scene(suite, plan.sizes().getFirst()), false, plan.warmUpSeconds());
      }
    }
  }

  /** Each server is first in every other round, in case one disturbs the next. */
  private TlsScenario.Round round(Scene scene, int round) throws IOException, InterruptedException {
    if (round % 2 == 0) {
      TlsFigures first = figures(service, scene, round);
      return new TlsScenario.Round(first, figures(sServer, scene, round));
    }
    TlsFigures first = figures(sServer, scene, round);
    return new TlsScenario.Round(figures(service, scene, round), first);
  }

  private TlsFigures figures(Server server, Scene scene, int round)
      throws IOException, InterruptedException {
    return new TlsFigures(trial(server, scene, round, false), trial(server, scene, round, true));
  }

  private Trial trial(Server server, Scene scene, int round, boolean resumed)
      throws IOException, InterruptedException {
    done++;
    String what =
        "%s, %s, %s connections"
            .formatted(
                TlsPlan.scenario(scene.suite, scene.size),
                server.name,
                resumed ? "resumed" : "new");
    progress =
        "%d/%d  round %d/%d  %s"
            .formatted(done, plan.measurements(), round + 1, plan.rounds(), what);
    try {
      return measure(server, scene, resumed, plan.seconds());
    } catch (IOException e) {
      throw new IOException("nothing is recorded: " + what + ": " + e.getMessage(), e);
    }
  }

  private Trial measure(Server server, Scene scene, boolean resumed, int seconds)
      throws IOException, InterruptedException {
    BoundedRun run =
        BoundedRun.of(
            openSsl.command(site.sTime(server.port, scene.suite, scene.size, resumed, seconds)),
            site.directory(),
            SLACK.plusSeconds(seconds));
    return STimeOutput.read(run, resumed, server.answer(scene.size));
  }
}

package org.keywell.loadgen.messages;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures all guards in turn, in rounds. One thread uses it, except for {@link #progress}. */
public final class MessagesRun {
  private record Case(Layout layout, int clients, Guard guard) {}

  private final MessagesPlan plan;
  private final Broker broker;
  private final MessagesSite.Party requester;
  private final MessagesSite.Party responder;
  private int done;
  private volatile String progress = "";

  /** Creates a run, with the keys of both sides. */
  public MessagesRun(MessagesPlan plan, MessagesSite site, Broker broker) throws IOException {
    this.plan = plan;
    this.broker = broker;
    this.requester = site.party(MessagesSite.REQUESTER);
    this.responder = site.party(MessagesSite.RESPONDER);
  }

  /** Returns what is being measured, in a line; for any thread. */
  public String progress() {
    return progress;
  }

  /**
   * Measures everything.
   *
   * @throws IOException if any exchange fails: then there are no figures at all
   */
  public List<MessageRow> call() throws IOException, InterruptedException {
    Map<Case, List<MessageTrial>> all = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds(); round++) {
      for (Layout layout : plan.layouts()) {
        for (int clients : plan.clients()) {
          for (Guard guard : inTurn(round)) {
            Case one = new Case(layout, clients, guard);
            all.computeIfAbsent(one, _ -> new ArrayList<>()).add(measure(one, round));
          }
        }
      }
    }
    List<MessageRow> rows = new ArrayList<>();
    all.forEach(
        (one, rounds) -> rows.add(new MessageRow(one.layout, one.clients, one.guard, rounds)));
    return rows;
  }

  /** Every other round is the other way round, in case one disturbs the next. */
  private List<Guard> inTurn(int round) {
    return round % 2 == 0 ? plan.guards() : plan.guards().reversed();
  }

  private MessageTrial measure(Case one, int round) throws IOException, InterruptedException {
    done++;
    String what = "%s, %d clients, %s".formatted(one.layout, one.clients, one.guard.title());
    progress =
        "%d/%d  round %d/%d  %s"
            .formatted(done, plan.measurements(), round + 1, plan.rounds(), what);
    try (Exchange exchange = new Exchange(broker, one.guard == Guard.TLS)) {
      return exchange.run(
          one.layout,
          one.clients,
          Side.of(one.guard, requester, responder),
          Side.of(one.guard, responder, requester),
          Duration.ofSeconds(plan.warmUpSeconds()),
          Duration.ofSeconds(plan.seconds()));
    } catch (IOException e) {
      throw new IOException("nothing is recorded: " + what + ": " + e.getMessage(), e);
    }
  }
}

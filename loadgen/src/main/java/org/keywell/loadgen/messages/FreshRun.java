package org.keywell.loadgen.messages;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.keywell.client.KeywellClient;

/**
 * Measures messages that are each signed with a fresh key, over ten queues, and those signed with a
 * kept key. One thread uses it, except for {@link #progress}.
 */
public final class FreshRun {
  private record Case(KeyUse keys, int clients) {}

  private final FreshPlan plan;
  private final Broker broker;
  private final MessagesSite.Party requester;
  private final MessagesSite.Party responder;
  private final Map<Case, List<FreshTrial>> trials = new LinkedHashMap<>();
  private volatile String progress = "";

  /** Creates a run, with the kept keys of both sides. */
  public FreshRun(FreshPlan plan, MessagesSite site, Broker broker) throws IOException {
    this.plan = plan;
    this.broker = broker;
    this.requester = site.party(MessagesSite.REQUESTER);
    this.responder = site.party(MessagesSite.RESPONDER);
  }

  /**
   * The service that fresh keys are from.
   *
   * @param deadline the longest that it allows, for each signature
   * @param trusted its signers
   * @param pid of its process
   */
  public record Source(KeywellClient client, Duration deadline, OneTimeSigners trusted, long pid) {}

  /** Returns what is being measured, in a line; for any thread. */
  public String progress() {
    return progress;
  }

  /**
   * Measures these uses in turn, in all rounds.
   *
   * @throws IOException if any exchange fails
   */
  public void measure(List<KeyUse> uses, Source source) throws IOException, InterruptedException {
    for (int round = 0; round < plan.rounds(); round++) {
      for (int clients : plan.clients()) {
        for (KeyUse keys : round % 2 == 0 ? uses : uses.reversed()) {
          progress =
              "fresh keys: round %d/%d  %d clients, %s"
                  .formatted(round + 1, plan.rounds(), clients, keys.title());
          trials
              .computeIfAbsent(new Case(keys, clients), _ -> new ArrayList<>())
              .add(measure(keys, clients, source));
        }
      }
    }
  }

  /** Returns all that was measured. */
  public FreshResult result() {
    List<FreshRow> rows = new ArrayList<>();
    trials.forEach((one, rounds) -> rows.add(new FreshRow(one.keys, one.clients, rounds)));
    return new FreshResult(plan, rows);
  }

  private FreshTrial measure(KeyUse keys, int clients, Source source)
      throws IOException, InterruptedException {
    try {
      if (plan.warmUpSeconds() > 0) {
        var _ = exchange(KeyUse.KEPT, clients, source, plan.warmUpSeconds());
      }
      return exchange(keys, clients, source, plan.seconds());
    } catch (IOException e) {
      throw new IOException(
          "nothing is recorded: %d clients, %s: %s"
              .formatted(clients, keys.title(), e.getMessage()),
          e);
    }
  }

  private FreshTrial exchange(KeyUse keys, int clients, Source source, int seconds)
      throws IOException, InterruptedException {
    Quota quota = keys == KeyUse.KEPT ? Quota.unlimited() : new Quota(plan.share());
    double before = Meter.processorSeconds(source.pid);
    try (Exchange exchange = new Exchange(broker, false, quota)) {
      MessageTrial trial =
          exchange.runToTheEnd(
              Layout.TEN,
              clients,
              requester(keys, source),
              keys == KeyUse.KEPT
                  ? Side.of(Guard.INTEGRITY, responder, requester)
                  : Side.integrity(Side.signer(responder), source.trusted),
              Duration.ofSeconds(seconds));
      return new FreshTrial(
          trial, Meter.processorSeconds(source.pid) - before, quota.medianMillis());
    }
  }

  private Side requester(KeyUse keys, Source source) {
    return keys == KeyUse.KEPT
        ? Side.of(Guard.INTEGRITY, requester, responder)
        : Side.integrity(
            new ServiceSigner(
                source.client, plan.keySpec(), keys == KeyUse.POOLED, source.deadline),
            responder.trusted());
  }
}

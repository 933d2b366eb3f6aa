package org.keywell.loadgen.storage;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.service.BoundedRun;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.storage.StorageFigures.Promise;
import org.keywell.loadgen.storage.StorageFigures.Round;
import org.keywell.loadgen.storage.StorageFigures.Start;

/**
 * Measures both databases in turn, then takes the key away from one. Only one of them runs at a
 * time. One thread uses it, except for {@link #progress}.
 */
public final class StorageRun {
  /** Starts of each database in addition to those of the rounds. */
  private static final int STARTS = 7;

  private static final int WARM_UP_SECONDS = 3;

  private final StoragePlan plan;
  private final StorageSite site;
  private final Volume localVolume;
  private final Volume xksVolume;
  private final OwnService service;
  private final XksKey key;
  private final ExternalKeys externalKeys;
  private final PrintWriter err;
  private final List<Round> rounds = new ArrayList<>();
  private final List<Start> localStarts = new ArrayList<>();
  private final List<Start> xksStarts = new ArrayList<>();
  private final List<Promise> promises = new ArrayList<>();
  private volatile String progress = "";

  /**
   * Creates a run.
   *
   * @param service the external key store, ready; it is stopped before the run ends
   * @param storePort where it is that
   */
  public StorageRun(
      StoragePlan plan,
      StorageSite site,
      Volume local,
      Volume xks,
      OwnService service,
      int storePort,
      XksKey key,
      PrintWriter err)
      throws IOException {
    this.plan = plan;
    this.site = site;
    this.localVolume = local;
    this.xksVolume = xks;
    this.service = service;
    this.key = key;
    this.externalKeys = new ExternalKeys(site.client(storePort), key.name());
    this.err = err;
  }

  /** Returns what is being done, in a line; for any thread. */
  public String progress() {
    return progress;
  }

  /**
   * Measures everything.
   *
   * @param port of the databases
   * @throws IOException if anything could not be measured: then there are no figures at all
   */
  public StorageFigures call(int port) throws IOException, InterruptedException {
    LocalKeys localKeys = site.localKeys();
    try (EncryptedServer local = create("local", localVolume, localKeys, port);
        EncryptedServer xks = create("xks", xksVolume, externalKeys, port)) {
      for (int round = 0; round < plan.rounds(); round++) {
        rounds.add(round(local, xks, round));
      }
      for (int i = 0; i < STARTS; i++) {
        progress = "starting each database, %d/%d".formatted(i + 1, STARTS);
        localStarts.add(restart(local));
        xksStarts.add(restart(xks));
      }
      takeKeyAway(xks);
    }
    return new StorageFigures(rounds, localStarts, xksStarts, promises);
  }

  private EncryptedServer create(String name, Volume volume, DataKeys keys, int port)
      throws IOException, InterruptedException {
    progress = "making the database " + name;
    return EncryptedServer.create(name, volume, keys, site, port, plan.scale(), err);
  }

  /** Each database is first in every other round, in case one disturbs the next. */
  private Round round(EncryptedServer local, EncryptedServer xks, int round)
      throws IOException, InterruptedException {
    if (round % 2 == 0) {
      PgbenchResult first = measure(local, localStarts, round);
      return new Round(first, measure(xks, xksStarts, round));
    }
    PgbenchResult first = measure(xks, xksStarts, round);
    return new Round(measure(local, localStarts, round), first);
  }

  private PgbenchResult measure(EncryptedServer server, List<Start> starts, int round)
      throws IOException, InterruptedException {
    progress = "round %d/%d  %s".formatted(round + 1, plan.rounds(), server.name());
    try {
      starts.add(server.start());
      PgbenchResult _ = server.pgbench().run(WARM_UP_SECONDS);
      PgbenchResult result = server.pgbench().run(plan.seconds());
      server.stop();
      return result;
    } catch (IOException e) {
      throw new IOException("nothing is recorded: " + progress + ": " + e.getMessage(), e);
    }
  }

  private static Start restart(EncryptedServer server) throws IOException, InterruptedException {
    Start start = server.start();
    server.stop();
    return start;
  }

  private void takeKeyAway(EncryptedServer server) throws IOException, InterruptedException {
    Start _ = server.start();
    goesOn("The key is disabled while the database runs", server, key::disable);
    server.stop();
    isRefused("The database starts with the disabled key", server, "InvalidStateException");
    key.enable();
    Start start = server.start();
    promise("It starts with the key enabled again", "starts", started(start), true);
    goesOn("The key manager stops while the database runs", server, service::close);
    server.stop();
    isRefused(
        "The database starts without the key manager", server, KeyRefusedException.UNREACHABLE);
  }

  private void goesOn(String event, EncryptedServer server, BoundedRun.Work work)
      throws IOException, InterruptedException {
    progress = event;
    PgbenchResult _ = server.pgbench().run(WARM_UP_SECONDS);
    Course course = server.pgbench().during(work);
    promise(event, "the database goes on", course.text(), course.goesOn());
  }

  private void isRefused(String event, EncryptedServer server, String name)
      throws IOException, InterruptedException {
    progress = event;
    String promised = "refused: " + name;
    try {
      Start start = server.start();
      server.stop();
      promise(event, promised, started(start), false);
    } catch (KeyRefusedException e) {
      boolean locked = server.isLocked();
      promise(
          event,
          promised,
          "refused: %s; the directory is %s".formatted(e.name(), locked ? "locked" : "readable"),
          locked && e.name().equals(name));
    }
  }

  private static String started(Start start) {
    return "started in %.0f ms".formatted(start.unlock() + start.start());
  }

  private void promise(String event, String promised, String seen, boolean kept) {
    promises.add(new Promise(event, promised, seen, kept));
  }
}

package org.keywell.signing.sign;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.fairness.Quotas;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.record.SignRecords;
import org.keywell.signing.record.SpyDataSource;

/** The way of a request from admission to record, on a real database and a device with faults. */
final class ServiceParts {

  static final int QUEUE_LIMIT = 20;
  static final int READS_AT_ONCE = 20;
  static final Duration ANSWER_GRACE = Duration.ofSeconds(12);

  final DeviceParts device = new DeviceParts();
  final SpyDataSource dataSource;
  final SignRequestQueue queue = new SignRequestQueue(QUEUE_LIMIT, System::nanoTime);
  final ServiceTime serviceTime = new ServiceTime(1, 1);

  /** Requests that were admitted and are not settled. */
  final AtomicInteger atHand = new AtomicInteger();

  final Admission admission =
      new Admission(
          queue,
          serviceTime,
          device.gate,
          this::recordsAreStuck,
          Quotas.none(),
          SignListener.NONE,
          atHand::incrementAndGet,
          atHand::decrementAndGet);

  /** What the log says, by request. */
  final Map<UUID, Long> logIndexes = new ConcurrentHashMap<>();

  final SignRecords records;
  final RecordWriter writer;
  final SignHandler handler;
  final HandlerThreads threads;
  final StandIn standIn;
  final SignService service;

  /** Where an outcome is given up as soon as the database is away. */
  ServiceParts(RecordsDatabase database) {
    this(database, Duration.ZERO);
  }

  ServiceParts(RecordsDatabase database, Duration outcomePatience) {
    dataSource = new SpyDataSource(database.dataSource());
    records = new SignRecords(database.dataSource());
    writer =
        database.writer(
            dataSource, "test", RecordsDatabase.QUEUE_LIMIT, outcomePatience, closed -> {});
    handler = newHandler();
    threads = new HandlerThreads(List.of(handler), List.of(), queue);
    standIn = new StandIn(threads, queue, writer, new NoActs());
    service =
        new SignService(
            admission,
            writer,
            records,
            new CallerReads(READS_AT_ONCE),
            SignListener.NONE,
            ANSWER_GRACE,
            id -> Optional.ofNullable(logIndexes.get(id)));
    writer.start();
  }

  private boolean recordsAreStuck() {
    return writer.isStuck();
  }

  /** One more that works at the same queue. */
  SignHandler newHandler() {
    return newHandler(SignHandler.Takes.WITH_KEY, PoolMode.POOLED, EmptyPoolPolicy.REFUSE);
  }

  SignHandler newHandler(SignHandler.Takes takes, PoolMode mode, EmptyPoolPolicy whenEmpty) {
    return new SignHandler(takes, queue, device.cycle(mode, whenEmpty), writer, serviceTime);
  }

  /** Loads so many keys. */
  ServiceParts withKeys(int count) {
    for (int i = 0; i < count; i++) {
      device.load();
    }
    return this;
  }

  /** No place is taken, the device is free for generators, and records can be written. */
  void awaitIdle() {
    await().until(() -> atHand.get() == 0 && queue.length() == 0 && !writer.isStuck());
  }

  /** The order of the service's own stop. */
  void stop() throws InterruptedException {
    admission.close();
    threads.finish(RecordsDatabase.LIMIT);
    writer.finish(RecordsDatabase.LIMIT);
  }

  /** Finishes, whatever a test left behind. */
  void close() throws InterruptedException {
    device.hsm.faults().healAll();
    stop();
  }
}

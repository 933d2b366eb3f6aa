package org.keywell.service.launch;

import java.time.Duration;
import org.keywell.service.record.CaChain;
import org.keywell.service.record.RecordWriter;
import org.keywell.service.record.SignRecords;
import org.keywell.service.sign.Admission;
import org.keywell.service.sign.HandlerThreads;
import org.springframework.stereotype.Component;

/** The way of requests as a whole, to be started and stopped. */
@Component
final class Signing {

  /** Beyond the patience with which an outcome waits for the database. */
  private static final Duration RECORDS = Duration.ofSeconds(70);

  private final SignRecords records;
  private final CaChain caChain;
  private final RecordWriter writer;
  private final HandlerThreads handlers;
  private final Admission admission;

  Signing(
      SignRecords records,
      CaChain caChain,
      RecordWriter writer,
      HandlerThreads handlers,
      Admission admission) {
    this.records = records;
    this.caChain = caChain;
    this.writer = writer;
    this.handlers = handlers;
    this.admission = admission;
  }

  void start() {
    records.keep(caChain);
    writer.start();
    handlers.start();
  }

  /** Nothing more is admitted. */
  void close() {
    admission.close();
  }

  /** Works off what was admitted, and records it. */
  void finish() throws InterruptedException {
    handlers.finish();
    writer.finish(RECORDS);
  }
}

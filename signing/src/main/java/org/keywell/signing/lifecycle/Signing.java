package org.keywell.signing.lifecycle;

import java.time.Duration;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.fairness.DailyQuota;
import org.keywell.signing.record.LateDestructions;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.SignRecords;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.HandlerThreads;
import org.springframework.stereotype.Component;

/** Starts and stops the request path as a whole. */
@Component
final class Signing {

  private final SignRecords records;
  private final IssuingCas cas;
  private final RecordWriter writer;
  private final HandlerThreads handlers;
  private final LateDestructions lateDestructions;
  private final DailyQuota quotas;
  private final Admission admission;
  private final OpenActs acts;

  Signing(
      SignRecords records,
      IssuingCas cas,
      RecordWriter writer,
      HandlerThreads handlers,
      LateDestructions lateDestructions,
      DailyQuota quotas,
      Admission admission,
      OpenActs acts) {
    this.records = records;
    this.cas = cas;
    this.writer = writer;
    this.handlers = handlers;
    this.lateDestructions = lateDestructions;
    this.quotas = quotas;
    this.admission = admission;
    this.acts = acts;
  }

  void start() {
    cas.chains().forEach(records::keep);
    writer.start();
    lateDestructions.start();
    quotas.start();
    handlers.start();
    acts.start();
  }

  /** Admits nothing more, and ends open acts. */
  void close() {
    admission.close();
    acts.close();
  }

  /**
   * Finishes and records what was admitted.
   *
   * @param work how long to wait for the requests, and again for the threads
   * @param records how long to wait for the database, and again for reporting
   * @return whether all of it has ended
   */
  boolean finish(Duration work, Duration records) throws InterruptedException {
    // First: waiting second calls are the handlers' work, too.
    boolean acted = acts.finish(work);
    boolean worked = handlers.finish(work) && acted;
    boolean recorded = writer.finish(records);
    lateDestructions.end(records);
    quotas.end(records);
    return recorded && worked;
  }
}

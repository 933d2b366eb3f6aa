package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.SignProperties;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.sign.SignRequestQueue;

/** The queues that a request passes through, and their limits. */
final class SignGauges implements MeterBinder {

  private final SignRequestQueue queue;
  private final SignProperties settings;
  private final List<KeySpec> specs;
  private final RecordWriter writer;
  private final OpenActs acts;

  SignGauges(
      SignRequestQueue queue,
      SignProperties settings,
      List<KeySpec> specs,
      RecordWriter writer,
      OpenActs acts) {
    this.specs = specs;
    this.acts = acts;
    this.queue = queue;
    this.settings = settings;
    this.writer = writer;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge("keywell.sign.queue.length", "Places taken in the queue", queue::length);
    meters.gauge("keywell.sign.queue.limit", "queue-limit", queue::limit);
    specs.forEach(spec ->
        meters.gauge(
            "keywell.sign.keyless.requests",
            "Requests in the queue that wait because their kind of key has none",
            () -> queue.waitingForKey(spec),
            Meters.KEY_SPEC,
            spec.label()));
    meters.gauge("keywell.sign.handler.threads", "handler-threads", settings::handlerThreads);
    meters.gauge("keywell.acts.open", "Acts in two calls with a place", acts::count);
    meters.gauge("keywell.acts.limit", "max-open", acts::limit);
    meters.gauge("keywell.record.queue.length", "Entries that wait to be written", writer::waiting);
    meters.gauge("keywell.record.queue.limit", "Entries that may wait", writer::limit);
    meters.gauge(
        "keywell.record.held", "Outcomes that wait for the database to come back", writer::held);
    meters.gauge(
        "keywell.record.unrecorded",
        "Requests that may stand as received and that nobody works on",
        writer::unrecorded);
  }
}

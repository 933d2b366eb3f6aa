package org.keywell.kmip.server;

import java.security.cert.X509Certificate;
import java.util.function.Function;
import org.keywell.keypool.log.LogPace;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all connections share. Thread-safe.
 *
 * @param refusals paces the log
 */
record KmipService<C>(
    KmipServerConfig config,
    TtlvReader messages,
    Function<X509Certificate[], C> callers,
    RequestProcessor<C> processor,
    LogPace refusals) {

  private static final Logger log = LoggerFactory.getLogger(KmipServer.class);

  static TtlvReader messages(KmipServerConfig config) {
    TtlvLimits standard = TtlvLimits.STANDARD;
    return new TtlvReader(
        new TtlvLimits(config.maxMessageBytes(), standard.depth(), standard.items()));
  }

  void refused(CallerRefusedException why) {
    long told = refusals.due(1);
    if (told > 0) {
      log.warn("KMIP requests of refused clients: {}; the last: {}", told, why.getMessage());
    }
  }
}

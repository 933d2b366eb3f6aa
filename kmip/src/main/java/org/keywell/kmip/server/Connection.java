package org.keywell.kmip.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Answer;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.ttlv.TtlvException;
import org.keywell.listener.Occupation;

/** One client's connection: answers its requests, one after the other. For one thread. */
final class Connection<C> {

  /** How long a client may take to read why its connection ends. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final KmipService<C> service;
  private final Occupation occupation;

  Connection(KmipService<C> service, Occupation occupation) {
    this.service = service;
    this.occupation = occupation;
  }

  /**
   * Serves the client until either side ends the connection.
   *
   * @throws IOException if it fails, or is cut
   */
  void serve(SSLSocket tls) throws IOException {
    KmipServerConfig config = service.config();
    InputStream in = new BufferedInputStream(tls.getInputStream());
    OutputStream out = tls.getOutputStream();
    Answer answer = null;
    while ((answer == null || !answer.last()) && occupation.await(config.idleTimeout())) {
      in.mark(1);
      if (in.read() < 0 || !occupation.work(config.messageTimeout())) {
        return;
      }
      in.reset();
      answer = answer(tls, in);
      if (answer == null || !occupation.work(config.messageTimeout())) {
        return;
      }
      out.write(answer.message());
    }
    occupation.work(FAREWELL);
    if (answer != null && answer.last()) {
      // With bytes left unread, the system would take the answer back.
      tls.shutdownOutput();
      in.transferTo(OutputStream.nullOutputStream());
    }
  }

  /** Returns null if the message ends too early. */
  private @Nullable Answer answer(SSLSocket tls, InputStream in) throws IOException {
    byte[] message;
    try {
      message = service.messages().next(in);
    } catch (TtlvException e) {
      return e.reason() == TtlvException.Reason.MESSAGE_TOO_LONG
          ? service.processor().refuse(null, tooLong())
          : null;
    }
    if (message == null) {
      return null;
    }
    occupation.work(null);
    try {
      return service.processor().process(message, service.callers().apply(certificates(tls)));
    } catch (CallerRefusedException e) {
      service.refused(e);
      return service.processor().refuse(message, notAuthenticated());
    }
  }

  private KmipException tooLong() {
    return new KmipException(
        "InvalidMessage",
        "a message may have %d bytes at most".formatted(service.config().maxMessageBytes()));
  }

  private static KmipException notAuthenticated() {
    return new KmipException("AuthenticationNotSuccessful", "the certificate is not accepted");
  }

  /** Asked for each request: it is the session's, which a client of TLS 1.2 may renegotiate. */
  private static X509Certificate[] certificates(SSLSocket tls) throws SSLPeerUnverifiedException {
    Certificate[] chain = tls.getSession().getPeerCertificates();
    return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
  }
}

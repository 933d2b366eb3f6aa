package org.keywell.kmip.server;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.keywell.keypool.log.LogPace;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.listener.HandshakeTurns;
import org.keywell.listener.TlsListener;

/**
 * Listens for clients that present a certificate, and answers their requests. Thread-safe; starts
 * once.
 *
 * @param <C> a caller
 */
public final class KmipServer<C> {

  private final TlsListener listener;

  /**
   * Creates a server that does not listen yet.
   *
   * @param tls asked for each connection, so that renewed certificates are shown from then on
   * @param turns of handshakes, with those at other ports
   * @param callers returns who a client is by its certificates, its own first; asked for each
   *     request, and throws {@link CallerRefusedException} if it is nobody
   */
  public KmipServer(
      KmipServerConfig config,
      Supplier<SSLContext> tls,
      HandshakeTurns turns,
      Function<X509Certificate[], C> callers,
      RequestProcessor<C> processor)
      throws IOException {
    KmipService<C> service =
        new KmipService<>(
            config,
            KmipService.messages(config),
            callers,
            processor,
            new LogPace(System::nanoTime));
    this.listener =
        new TlsListener(
            config.listener(),
            tls,
            turns,
            (client, occupation) -> new Connection<>(service, occupation).serve(client));
  }

  /**
   * Starts to listen.
   *
   * @throws IOException if the address or port cannot be used
   */
  public void start() throws IOException {
    listener.start();
  }

  /** Returns the port, once it listens. */
  public int port() {
    return listener.port();
  }

  /** Returns what has its connections. */
  public TlsListener listener() {
    return listener;
  }

  /** As {@link TlsListener#close}. */
  public void close(Duration limit) {
    listener.close(limit);
  }
}

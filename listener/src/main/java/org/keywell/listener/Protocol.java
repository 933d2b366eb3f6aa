package org.keywell.listener;

import java.io.IOException;
import javax.net.ssl.SSLSocket;

/** What is spoken on connections. */
public interface Protocol {

  /**
   * Serves a client until either side ends the connection; the caller closes it.
   *
   * @param tls after the handshake
   * @param occupation is told what the connection is doing
   * @throws IOException if the connection fails, or is cut
   */
  void serve(SSLSocket tls, Occupation occupation) throws IOException;
}

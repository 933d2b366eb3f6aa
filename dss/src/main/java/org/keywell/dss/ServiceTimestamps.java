package org.keywell.dss;

import eu.europa.esig.dss.spi.client.http.DataLoader;
import eu.europa.esig.dss.spi.exception.DSSExternalResourceException;
import java.io.IOException;
import java.util.List;
import org.keywell.client.KeywellClient;

/** Takes DSS's requests for time stamps to the service that signs. */
final class ServiceTimestamps implements DataLoader {
  private static final long serialVersionUID = 1L;

  private final transient KeywellClient client;

  ServiceTimestamps(KeywellClient client) {
    this.client = client;
  }

  @Override
  public byte[] post(String address, byte[] request) {
    try {
      return client.timeStamp(request);
    } catch (IOException e) {
      throw new DSSExternalResourceException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DSSExternalResourceException("interrupted", e);
    }
  }

  @Override
  public byte[] get(String address) {
    throw new UnsupportedOperationException("time stamps are posted");
  }

  @Override
  public DataAndUrl get(List<String> addresses) {
    throw new UnsupportedOperationException("time stamps are posted");
  }

  @Override
  public void setContentType(String type) {
    // The client knows that of requests for time stamps.
  }
}

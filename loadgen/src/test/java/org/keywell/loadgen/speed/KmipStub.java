package org.keywell.loadgen.speed;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.keywell.client.PemTls;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TrialSite;

/** Answers KMIP requests over mutual TLS, as told, by their number. */
final class KmipStub implements AutoCloseable {
  final SSLContext client;
  final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final SSLServerSocket server;
  private final IntFunction<Item> answers;

  private final SSLContext context;

  private KmipStub(
      SSLContext client, SSLContext context, SSLServerSocket server, IntFunction<Item> answers) {
    this.client = client;
    this.context = context;
    this.server = server;
    this.answers = answers;
  }

  static KmipStub start(Path directory, IntFunction<Item> answers) throws Exception {
    try (TrialSite site =
        TrialSite.create(
            directory,
            OpenSsl.find("openssl"),
            new TlsPlan(1, 1, 0, List.of(), List.of(), true, true))) {
      Path files = site.directory();
      SSLContext context =
          PemTls.context(
              files.resolve("client.crt"),
              files.resolve("server.crt"),
              files.resolve("server.key"));
      return start(site.client(), context, answers);
    }
  }

  /** Starts another one for the same clients. */
  KmipStub another() throws IOException {
    return start(client, context, answers);
  }

  private static KmipStub start(SSLContext client, SSLContext context, IntFunction<Item> answers)
      throws IOException {
    SSLServerSocket server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setNeedClientAuth(true);
    KmipStub stub = new KmipStub(client, context, server, answers);
    Thread.ofVirtual().start(stub::accept);
    return stub;
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        SSLSocket one = (SSLSocket) server.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(one));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(SSLSocket socket) {
    try (socket) {
      TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);
      while (reader.next(socket.getInputStream()) != null) {
        Item answer = answers.apply(requests.incrementAndGet());
        socket.getOutputStream().write(TtlvWriter.write(answer));
      }
    } catch (IOException e) {
      // The client has left.
    }
  }

  static Item success(Item... payload) {
    return Messages.structure(
        "ResponseMessage",
        Messages.structure(
            "BatchItem",
            Tag.named("ResultStatus").item("Success"),
            Messages.structure("ResponsePayload", payload)));
  }

  static Item failure(String message) {
    return Messages.structure(
        "ResponseMessage",
        Messages.structure(
            "BatchItem",
            Tag.named("ResultStatus").item("OperationFailed"),
            Tag.named("ResultMessage").item(new Value.Text(message))));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

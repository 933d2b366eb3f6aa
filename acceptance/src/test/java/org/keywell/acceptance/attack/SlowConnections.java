package org.keywell.acceptance.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections that send a byte a second, or none, or read 256 bytes a second, so that no time limit
 * between two bytes ends them. A connection that the service closes is opened again.
 */
final class SlowConnections implements AutoCloseable {

  /** What is sent at once, and whether single bytes follow. */
  enum Kind {
    /** Nothing, ever. */
    SILENT("", false),
    SLOW_HEAD("POST /sign HTTP/1.1\r\nHost: localhost\r\nX-", true),
    SLOW_BODY(
        "POST /sign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: 10000\r\n\r\n{",
        true),
    /** Pipelined requests for 1.5 MB each. */
    SLOW_READER(
        "GET /swagger-ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20),
        false);

    private final String start;
    private final boolean drips;

    Kind(String start, boolean drips) {
      this.start = start;
      this.drips = drips;
    }

    byte[] octets() {
      return start.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static final long PAUSE_MILLIS = 1_000;
  private static final int SMALL_WINDOW = 4_096;

  private final InetSocketAddress address;
  private final List<Slow> connections = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger cut = new AtomicInteger();
  private final Thread thread;
  private volatile boolean stopped;

  private SlowConnections(int port, int count, List<Kind> kinds) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < count; i++) {
      connections.add(new Slow(kinds.get(i % kinds.size())));
    }
    this.thread = Thread.ofPlatform().name("slow-connections").start(this::run);
  }

  /** Opens so many, of these kinds in turn, and keeps at it. */
  static SlowConnections start(int port, int count, Kind... kinds) {
    return new SlowConnections(port, count, List.of(kinds));
  }

  /** Connections that are established, as far as this side knows. */
  int open() {
    return open.get();
  }

  /** Connections that the service has ended so far. */
  int cut() {
    return cut.get();
  }

  private void run() {
    try {
      while (!stopped) {
        int established = 0;
        for (Slow connection : connections) {
          if (connection.tick()) {
            established++;
          }
        }
        open.set(established);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.forEach(Slow::close);
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Slow {
    private final Kind kind;
    private final ByteBuffer input = ByteBuffer.allocate(256);
    private SocketChannel channel;
    private boolean established;

    Slow(Kind kind) {
      this.kind = kind;
      this.channel = connect();
    }

    private SocketChannel connect() {
      try {
        SocketChannel fresh = SocketChannel.open();
        if (kind == Kind.SLOW_READER) {
          fresh.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_WINDOW);
        }
        fresh.configureBlocking(false);
        established = fresh.connect(address);
        return fresh;
      } catch (IOException e) {
        throw new AssertionError("this machine gives no more connections", e);
      }
    }

    /** A byte more; whether the connection is established. */
    boolean tick() {
      try {
        if (!established) {
          established = channel.finishConnect();
          if (established) {
            channel.write(ByteBuffer.wrap(kind.octets()));
          }
        } else if (channel.read(input.clear()) < 0) {
          again();
        } else if (kind.drips) {
          channel.write(ByteBuffer.wrap(new byte[] {'x'}));
        }
      } catch (IOException e) {
        again();
      }
      return established;
    }

    private void again() {
      cut.incrementAndGet();
      close();
      channel = connect();
    }

    void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}

package org.keywell.listener;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends. Until its handshake is over, its reader has a turn at the processor
 * afterwards, and gives it back before it waits for the network. For one thread.
 */
final class ShakingInput extends FilterInputStream {

  private final HandshakeTurns turns;
  private final InetAddress address;
  private final Duration limit;
  private @Nullable Runnable turn;
  private boolean over;

  ShakingInput(InputStream in, HandshakeTurns turns, InetAddress address, Duration limit) {
    super(in);
    this.turns = turns;
    this.address = address;
    this.limit = limit;
  }

  /** Ends the turn; there is no other. */
  void handshakeOver() {
    over = true;
    endTurn();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (over) {
      return super.read(buffer, offset, length);
    }
    if (in.available() == 0) {
      endTurn();
    }
    int count = super.read(buffer, offset, length);
    if (turn == null) {
      try {
        turn = turns.turn(address, limit);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("while it waited for its turn");
      }
    }
    return count;
  }

  private void endTurn() {
    if (turn != null) {
      turn.run();
      turn = null;
    }
  }
}

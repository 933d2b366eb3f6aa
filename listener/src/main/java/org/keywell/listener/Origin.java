package org.keywell.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where connections come from: those of one origin compete with each other first.
 *
 * @param network an IPv4 address, or the first 64 bits of an IPv6 address
 */
public record Origin(ByteBuffer network) {

  /** A subscriber usually has as many IPv6 addresses as it likes, with this in common. */
  private static final int PREFIX_BYTES = 8;

  /** Returns an address's origin; null, of a socket that was not connected, has one too. */
  public static Origin of(@Nullable InetAddress address) {
    if (address == null) {
      return new Origin(ByteBuffer.allocate(0));
    }
    byte[] bytes = address.getAddress();
    return new Origin(
        ByteBuffer.wrap(
            address instanceof Inet6Address ? Arrays.copyOf(bytes, PREFIX_BYTES) : bytes));
  }
}

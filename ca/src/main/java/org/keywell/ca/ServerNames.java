package org.keywell.ca;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What clients call a server by, checked.
 *
 * @param hosts DNS names in lower case, international ones in their ASCII form ({@code xn--…})
 */
public record ServerNames(List<String> hosts, List<InetAddress> addresses) {

  private static final int MOST = 100;
  private static final int LONGEST = 253;
  private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  private static final Pattern HOST = Pattern.compile("(%1$s\\.)*%1$s".formatted(LABEL));
  private static final Pattern WILDCARD = Pattern.compile("\\*\\.(%1$s\\.)+%1$s".formatted(LABEL));

  /** What clients may read as an address. */
  private static final Pattern NUMBER = Pattern.compile("(.*\\.)?(0[xX][0-9a-fA-F]*|[0-9]+)");

  public ServerNames {
    hosts = List.copyOf(hosts);
    addresses = List.copyOf(addresses);
    int count = hosts.size() + addresses.size();
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(
          "a server has 1 to %s names and addresses, not %s".formatted(MOST, count));
    }
  }

  /**
   * Checks names and addresses as an operator writes them; repeated ones count once.
   *
   * @param wildcards whether {@code *} may be a name's first label, above at least two others
   * @throws IllegalArgumentException naming the one that is refused, or if they are none or more
   *     than 100
   */
  public static ServerNames of(List<String> all, boolean wildcards) {
    Set<String> hosts = new LinkedHashSet<>();
    Set<InetAddress> addresses = new LinkedHashSet<>();
    for (String each : all) {
      if (each.indexOf(':') >= 0 || NUMBER.matcher(each).matches()) {
        addresses.add(address(each));
      } else {
        hosts.add(host(each, wildcards));
      }
    }
    return new ServerNames(List.copyOf(hosts), List.copyOf(addresses));
  }

  private static String host(String text, boolean wildcards) {
    String name = text.toLowerCase(Locale.ROOT);
    boolean wildcard = wildcards && WILDCARD.matcher(name).matches();
    if (name.length() > LONGEST || !(wildcard || HOST.matcher(name).matches())) {
      throw new IllegalArgumentException("'%s' is no host's name".formatted(text));
    }
    return name;
  }

  private static InetAddress address(String text) {
    InetAddress address = InetAddress.ofLiteral(text);
    boolean whole = address instanceof Inet6Address || address.getHostAddress().equals(text);
    boolean scoped = text.indexOf('%') >= 0;
    if (!whole || scoped || address.isAnyLocalAddress() || address.isMulticastAddress()) {
      throw new IllegalArgumentException("'%s' is no address of one server".formatted(text));
    }
    return address;
  }

  /** Returns them in words, for operators. */
  @Override
  public String toString() {
    return Stream.concat(hosts.stream(), addresses.stream().map(InetAddress::getHostAddress))
        .collect(Collectors.joining(", "));
  }
}

package org.keywell.loadgen.messages;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.keywell.loadgen.tls.TrialSite;

/** The broker, in a process of its own on loopback. One user can get in. */
public final class BrokerServer {
  static final String USER = "load";

  /** How long the journal collects what it writes at once; the default, 3.3 ms, is for many. */
  private static final int JOURNAL_WAIT_NANOS = 200_000;

  private static final long QUEUE_BYTES = 64L << 20;

  private BrokerServer() {}

  /**
   * Runs until the input ends, as it does when the process that has started this one is gone; then
   * it removes the directory.
   *
   * @param directory of a {@link MessagesSite}
   * @param port without TLS; the next is with it
   */
  public static void run(InputStream input, Path directory, int port) throws Exception {
    MessagesSite site = new MessagesSite(new TrialSite(directory, true));
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(USER, site.secret());
    users.addRole(USER, USER);
    EmbeddedActiveMQ server =
        new EmbeddedActiveMQ()
            .setConfiguration(configuration(site, port))
            .setSecurityManager(
                new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
    server.start();
    while (input.read() >= 0) {
      // Nothing is told.
    }
    server.stop();
    site.close();
  }

  private static Configuration configuration(MessagesSite site, int port) throws Exception {
    Path data = site.directory().resolve("data");
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setJournalType(JournalType.NIO)
            .setJournalBufferTimeout_NIO(JOURNAL_WAIT_NANOS)
            .setJournalDirectory(data.resolve("journal").toString())
            .setBindingsDirectory(data.resolve("bindings").toString())
            .setPagingDirectory(data.resolve("paging").toString())
            .setLargeMessagesDirectory(data.resolve("large").toString())
            // There was room enough at the start.
            .setMaxDiskUsage(-1)
            .setJMXManagementEnabled(false)
            .addAcceptorConfiguration("plain", url(port))
            .addAcceptorConfiguration(
                "tls", url(port + 1) + tls("keyStore", site, MessagesSite.RESPONDER));
    configuration.addAddressSetting(
        "#",
        new AddressSettings()
            .setAutoDeleteAddresses(false)
            .setAutoDeleteQueues(false)
            .setMaxSizeBytes(QUEUE_BYTES)
            .setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL));
    configuration.putSecurityRoles(
        "#",
        Set.of(
            new Role(
                USER, true, true, true, false, true, false, false, true, true, true, false,
                false)));
    return configuration;
  }

  /** Returns an address on this machine, to which parameters may be added. */
  static String url(int port) {
    return "tcp://127.0.0.1:%d?useEpoll=false&useKQueue=false".formatted(port);
  }

  /** Returns the parameters of TLS. */
  static String tls(String store, MessagesSite site, String keys) throws IOException {
    return "&sslEnabled=true&enabledProtocols=TLSv1.3&%1$sType=PKCS12&%1$sPath=%2$s&%1$sPassword=%3$s"
        .formatted(
            store,
            URLEncoder.encode(site.keys(keys).toString(), StandardCharsets.UTF_8),
            site.secret());
  }
}

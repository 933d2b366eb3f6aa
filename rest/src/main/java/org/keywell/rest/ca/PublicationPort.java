package org.keywell.rest.ca;

import java.net.InetAddress;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.keywell.rest.http.BoundedHttpProtocol;
import org.keywell.rest.http.Handshakes;
import org.keywell.settings.CaProperties;
import org.keywell.settings.KeywellProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The port where everyone can read lists of revoked certificates, and ask about one: validators
 * have no certificate to show, and TLS would ask for another validation before this one. Lists and
 * answers are signed.
 */
@Configuration(proxyBeanMethods = false)
public class PublicationPort {

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> publicationConnector(
      KeywellProperties properties, Handshakes handshakes) {
    CaProperties.Crl crl = properties.ca().crl();
    boolean ocsp = properties.ca().ocsp().base().isPresent();
    return factory -> {
      if (crl.port() != null) {
        BoundedHttpProtocol protocol = new BoundedHttpProtocol();
        protocol.bound(
            properties.http(), handshakes, new PublicationDoor(ocsp, crl.ratePerSecond()));
        factory.addAdditionalConnectors(connector(protocol, crl.address(), crl.port()));
      }
    };
  }

  @Bean
  OcspAddresses ocspAddresses() {
    return new OcspAddresses();
  }

  private static Connector connector(BoundedHttpProtocol protocol, InetAddress address, int port) {
    protocol.setAddress(address);
    Connector connector = new Connector(protocol);
    connector.setPort(port);
    connector.setParseBodyMethods("");
    connector.setXpoweredBy(false);
    // In base64; the door knows the addresses where they may be.
    connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
    return connector;
  }
}

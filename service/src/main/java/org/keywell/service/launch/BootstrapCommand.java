package org.keywell.service.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.ca.Certification;
import org.keywell.ca.ServerNames;
import org.keywell.ca.token.PemCertificates;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.ServerKeyProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.ca.CaConfiguration;
import org.keywell.signing.ca.CaOpener;
import org.keywell.signing.ca.CaPreparation;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.HsmConfiguration;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.signing.hsm.TokenPreparation;
import org.keywell.signing.start.ClockConfiguration;
import org.keywell.signing.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * The commands that prepare tokens: {@code bootstrap}, {@code ca-request}, {@code ca-import} and
 * {@code renew-ca}; and {@code server-request} and {@code server-certificate}. Each may be
 * repeated; no key is ever replaced.
 */
final class BootstrapCommand {

  private static final int HEX = 16;

  private BootstrapCommand() {}

  /** Lazy: the token is created before the device is opened, and no command needs all parts. */
  @Lazy
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({
    StartConfiguration.class,
    ClockConfiguration.class,
    HsmConfiguration.class,
    CaConfiguration.class
  })
  static class Parts {}

  /** Creates token, wrapping key, root and issuing CA. */
  static void run() {
    withParts(parts -> {
      parts.getBean(TokenPreparation.class).ensure().forEach(System.out::println);
      parts.getBean(CaPreparation.class).ensure().forEach(System.out::println);
      List<String> made = new ArrayList<>(parts.getBean(TokenPreparation.class).made());
      made.addAll(parts.getBean(CaPreparation.class).made());
      ToldLog.of(parts).tell("bootstrap", "bootstrap", made);
    });
  }

  /** Writes a certification request for the issuing CA's key, or for one that follows it. */
  static void request(@Nullable String device, boolean newKey, Path file) {
    withParts(parts -> {
      parts.getBean(TokenPreparation.class).ensure();
      write(file, parts.getBean(CaPreparation.class).request(device, newKey));
      System.out.println("request written to " + file + "; certify it, then run ca-import");
    });
  }

  /** Imports the issuing CA's certificate and all above it. */
  static void importAnswer(@Nullable String device, Path file) {
    String pem = read(file);
    withTokens(parts -> {
      List<String> imported = new ArrayList<>();
      for (X509Certificate certificate :
          parts.getBean(CaPreparation.class).importAnswer(device, pem)) {
        System.out.println("imported: " + certificate.getSubjectX500Principal());
        imported.add(certificate.getSubjectX500Principal().toString());
      }
      imported.addAll(parts.getBean(CaPreparation.class).made());
      ToldLog.of(parts).tell("command", "ca-import", imported);
    });
  }

  /** Has keys of a generation follow the issuing CAs' or the root's present ones. */
  static void renew(@Nullable String device, boolean root, int generation) {
    withTokens(parts -> {
      CaPreparation ca = parts.getBean(CaPreparation.class);
      (root ? ca.renewRoot(generation) : ca.renew(device, generation)).forEach(System.out::println);
      ToldLog.of(parts).tell("command", "renew-ca", ca.made());
    });
  }

  /**
   * Certifies a server's key by the CA of the first device that signs.
   *
   * @param file gets the certificate and those of its issuers, except the root's
   */
  static void certifyServer(ServerNames names, Duration validity, Path request, Path file) {
    byte[] pkcs10 = bytes(request);
    withTokens(parts -> {
      OpenDevice device = parts.getBean(Devices.class).signing().getFirst();
      switch (parts.getBean(CaOpener.class).servers(device, validity).issue(pkcs10, names)) {
        case Certification.Refused(var _, String detail) ->
            throw new StartRefusedException("not certified: " + detail);
        case Certification.Certified(BigInteger serial, byte[] certificate, CaChain under) -> {
          List<byte[]> path = new ArrayList<>(under.certificates());
          path.removeLast();
          path.addFirst(certificate);
          write(file, PemCertificates.writeEncoded(path));
          String issued = "certificate %s of %s".formatted(serial.toString(HEX), names);
          System.out.println(issued + " written to " + file);
          ToldLog.of(parts).tell("command", "server-certificate", List.of(issued));
        }
      }
    });
  }

  /** Writes a request for the server's key in an HSM; makes that key if it is missing. */
  static void requestServer(ServerNames names, Path file) {
    withTokens(parts -> {
      ServerKeyProperties key = parts.getBean(KeywellProperties.class).serverKey();
      if (key.label() == null) {
        throw new StartRefusedException("server-request needs keywell.server-key.label");
      }
      CaPreparation ca = parts.getBean(CaPreparation.class);
      write(file, ca.serverRequest(key.device(), key.label(), names));
      System.out.println(
          "request for %s written to %s; certify it, for instance by server-certificate"
              .formatted(names, file));
      ToldLog.of(parts).tell("command", "server-request", ca.made());
    });
  }

  /** Makes no token: one that is missing here may only be out of reach. */
  private static void withTokens(Consumer<ConfigurableApplicationContext> work) {
    withParts(work, "--keywell.hsm.bootstrap=never");
  }

  private static void withParts(Consumer<ConfigurableApplicationContext> work, String... more) {
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class)
                .web(WebApplicationType.NONE)
                .lazyInitialization(true),
            Stream.concat(Stream.of("--logging.level.root=WARN"), Stream.of(more))
                .toArray(String[]::new))) {
      work.accept(parts);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new StartRefusedException("cannot read " + file, e);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new StartRefusedException("cannot read " + file, e);
    }
  }

  private static void write(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}

package org.keywell.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Keeps the map of docs/ARCHITECTURE.md true. */
final class ArchitectureTest {

  /** What is deployed. */
  private static final String[] SERVER = {
    "keypool",
    "ca",
    "listener",
    "kmip",
    "xks",
    "settings",
    "identity",
    "signing",
    "json",
    "jms",
    "rest",
    "operations",
    "service"
  };

  private static final String[] KMIP = {
    "org.keywell.kmip.ttlv..",
    "org.keywell.kmip.table..",
    "org.keywell.kmip.client..",
    "org.keywell.kmip.message.."
  };

  private static final DescribedPredicate<JavaClass> NOT_FOR_CALLERS =
      resideInAnyPackage(
          "org.keywell.bench..", "org.keywell.cli", "org.springframework..", "org.bouncycastle..");

  /**
   * Modules as Maven has built them: some bring what must not be on the class path of the others.
   */
  private static final List<Path> BUILT =
      Stream.concat(
              Stream.of(SERVER),
              Stream.of(
                  "kmip-messages",
                  "tlog",
                  "protection",
                  "standalone",
                  "client",
                  "message-client",
                  "dss",
                  "cli",
                  "starter",
                  "loadgen",
                  "plan",
                  "bench"))
          .map(module -> Path.of("..", module, "target", "classes"))
          .toList();

  private static final ClassLoader LOADER =
      new URLClassLoader(
          BUILT.stream().map(ArchitectureTest::url).toArray(URL[]::new),
          ArchitectureTest.class.getClassLoader());

  private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(BUILT);

  private static final List<ArchRule> RULES =
      List.of(
          modules("keypool", "ca")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.settings..",
                  "org.keywell.identity..",
                  "org.keywell.signing..",
                  "org.keywell.rest..",
                  "org.keywell.operations..",
                  "org.keywell.service..",
                  "org.springframework..",
                  "io.micrometer.."),
          modules("tlog")
              .should()
              .dependOnClassesThat()
              .resideOutsideOfPackages("java..", "org.keywell.tlog..", "org.jspecify..")
              .because("what verifies a log for years needs nothing but Java"),
          noClasses()
              .that()
              .resideInAnyPackage(KMIP)
              .should()
              .dependOnClassesThat(
                  not(resideInAnyPackage(KMIP).or(resideInAnyPackage("java..", "org.jspecify.."))))
              .because("a protocol's messages know neither keys nor callers nor connections"),
          modules("kmip")
              .should()
              .dependOnClassesThat(
                  not(
                      resideInAnyPackage(
                          "java..",
                          "javax.crypto..",
                          "javax.net.ssl..",
                          "javax.sql..",
                          "org.jspecify..",
                          "org.slf4j..",
                          "org.keywell.kmip..",
                          "org.keywell.listener..",
                          "org.keywell.keypool..")))
              .because("the way in to managed keys knows the pool and nothing of signing"),
          modules("xks")
              .should()
              .dependOnClassesThat(
                  not(
                      resideInAnyPackage(
                          "java..",
                          "javax.crypto..",
                          "javax.net.ssl..",
                          "javax.sql..",
                          "org.jspecify..",
                          "org.slf4j..",
                          "tools.jackson..",
                          "org.keywell.xks..",
                          "org.keywell.listener..",
                          "org.keywell.keypool..")))
              .because("the external key store knows the HSMs and nothing of signing"),
          modules(SERVER)
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.xks..", "org.keywell.service..", "org.keywell.operations..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("org.keywell.xks..")
              .because("it is wired in one place, and watched in another"),
          modules("jms")
              .should()
              .dependOnClassesThat(
                  not(
                      resideInAnyPackage(
                          "java..",
                          "javax.net.ssl..",
                          "javax.security.auth.x500..",
                          "jakarta.jms..",
                          "org.apache.activemq.artemis..",
                          "org.jspecify..",
                          "org.slf4j..",
                          "tools.jackson..",
                          "org.keywell.jms..",
                          "org.keywell.json..",
                          "org.keywell.protection..",
                          "org.keywell.settings..",
                          "org.keywell.signing..",
                          "org.keywell.keypool.hsm",
                          "org.keywell.keypool.log..")))
              .because("the way in over a broker asks the core, and knows no other way in"),
          modules(SERVER)
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.jms..", "org.keywell.service.jms..", "org.keywell.operations..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("org.keywell.jms..")
              .because("it is wired in one place, and watched in another"),
          noClasses()
              .that()
              .resideOutsideOfPackages(
                  "org.keywell.jms..", "org.keywell.standalone..", "org.keywell.loadgen.messages..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("jakarta.jms..", "org.apache.activemq..")
              .because("one module speaks to brokers, one brings one along, and one measures"),
          modules("listener")
              .should()
              .dependOnClassesThat(
                  not(
                      resideInAnyPackage(
                          "java..",
                          "javax.net.ssl..",
                          "javax.security.auth.x500..",
                          "org.jspecify..",
                          "org.slf4j..",
                          "org.keywell.listener..",
                          "org.keywell.keypool.log..")))
              .because("a listener knows nothing of what is asked for"),
          modules(SERVER)
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.kmip..", "org.keywell.service.kmip..", "org.keywell.operations..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("org.keywell.kmip..")
              .because("it is wired in one place, and watched in another"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.kmip.object..")
              .should()
              .dependOnClassesThat(
                  not(
                      resideInAnyPackage(KMIP)
                          .or(
                              resideInAnyPackage(
                                  "org.keywell.kmip.object..", "java..", "org.jspecify.."))))
              .orShould()
              .dependOnClassesThat()
              .resideInAnyPackage("java.sql..", "javax.sql..")
              .because("what an object is does not depend on where it is kept"),
          modules("keypool")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("org.keywell.ca..", "org.bouncycastle.."),
          modules("ca").should().dependOnClassesThat().resideInAPackage("org.keywell.keypool.."),
          modules(SERVER)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.client..",
                  "org.keywell.cli..",
                  "org.keywell.loadgen..",
                  "org.keywell.bench..")
              .because("callers share the HTTP contract with the service and nothing else"),
          modules("settings", "identity", "signing", "json")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "jakarta.servlet..",
                  "org.apache.catalina..",
                  "org.springframework.web..",
                  "org.springframework.http..",
                  "org.springframework.security..")
              .because("another way in than HTTP asks the same core, and hears its own words"),
          modules("settings")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  packages("identity", "signing", "json", "jms", "rest", "operations", "service")),
          modules("identity")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  packages("signing", "json", "jms", "rest", "operations", "service")),
          modules("signing")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(packages("json", "jms", "rest", "operations", "service")),
          modules("json")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(packages("jms", "rest", "operations", "service")),
          modules("rest")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(packages("operations", "service")),
          modules("operations")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(packages("service")),
          modules("protection")
              .should()
              .dependOnClassesThat()
              .resideOutsideOfPackages(
                  "java..",
                  "javax.crypto..",
                  "javax.security.auth.x500..",
                  "org.bouncycastle.asn1..",
                  "org.keywell.protection..",
                  "org.jspecify..")
              .because("a message's protection knows no broker, and its primitives are the JDK's"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.messageclient..")
              .should()
              .dependOnClassesThat()
              .resideOutsideOfPackages(
                  "java..",
                  "javax.security.auth.x500..",
                  "org.keywell.messageclient..",
                  "org.keywell.protection..",
                  "org.jspecify..")
              .because("it goes with any broker's client"),
          noClasses()
              .that()
              .resideOutsideOfPackages("org.keywell.ca..", "org.keywell.protection..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("org.bouncycastle..")
              .because("certificates and CMS are written in two modules"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.dss..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("eu.europa.esig..")
              .because("its licence is not ours, so what uses it is a module of its own"),
          modules(SERVER)
              .and()
              .resideOutsideOfPackage("org.keywell.operations.metrics..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.micrometer..")
              .because("the others tell listeners"),
          modules(SERVER)
              .and()
              .resideOutsideOfPackage("org.keywell.operations.console..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("org.HdrHistogram..", "org.webjars..")
              .because("only the console has percentiles of its own and files for browsers"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.identity.jwt..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("com.nimbusds..")
              .because("JOSE is spoken in one place"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.keypool.hsm.pkcs11..")
              .and()
              .doNotHaveFullyQualifiedName("org.keywell.loadgen.storage.DirectoryKeys")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("java.lang.foreign..")
              .because("only the binding speaks PKCS#11, and one class to the kernel"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.keypool.hsm")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.keypool.hsm.pkcs11..",
                  "org.keywell.keypool.hsm.timed..",
                  "org.keywell.keypool.store..",
                  "org.keywell.keypool")
              .because("the seam knows nothing of those on either side"),
          modules(SERVER)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("io.zonky..", "org.testcontainers..", "org.keywell.standalone..")
              .because("what is deployed brings no database along"),
          classes()
              .that()
              .resideInAPackage("org.keywell.keypool")
              .and()
              .areTopLevelClasses()
              .and()
              .arePublic()
              .should()
              .haveNameMatching(
                  ".*\\.(KeyPools|PoolConfig|PoolLimits|PoolDepth|KeyOutlook|PoolListener|GeneratorState"
                      + "|PooledHsm|DeviceRole|Device|KeyLease)")
              .because("the pool has one front door, KeyPools, and what passes through it"),
          classes()
              .that()
              .resideInAPackage("org.keywell.keypool.store")
              .and()
              .areTopLevelClasses()
              .and()
              .arePublic()
              .should()
              .haveNameMatching(
                  ".*\\.(ClaimLimit|Estate|JdbcWrappedKeyStore|KeyHistory|KeyLedger|LedgerBalance"
                      + "|MisplacedKeys|PoolMarks|RecordBalance|StoreException|StoredKey"
                      + "|WrappedKeyStore)")
              .because("the store shows keys, their account, and nothing of its statements"),
          classes()
              .that()
              .resideInAPackage("org.keywell.keypool.hsm.pkcs11")
              .and()
              .areTopLevelClasses()
              .and()
              .arePublic()
              .should()
              .haveNameMatching(
                  ".*\\.(CallLimits|CallListener|CipherCall|CkFunction|Ed25519Keys?|EnrolledKey"
                      + "|LoginHistory|ManagedKeys|ModuleUser|Pin|Pkcs11Config|Pkcs11Hsm"
                      + "|ReturnValue|SharedAesKey|TokenAesKeys?|TokenBootstrap|TransportRequest"
                      + "|WrappingKeyOrigin|WrappingKeyRecipient)")
              .because("the binding shows how a device is opened, and nothing of PKCS#11 calls"),
          modules("settings", "identity", "signing", "json", "jms", "rest", "operations", "service")
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.signing.hsm..",
                  "org.keywell.signing.pool..",
                  "org.keywell.service.kmip..",
                  "org.keywell.service.launch..")
              .should()
              .dependOnClassesThat()
              .haveFullyQualifiedName("org.keywell.keypool.hsm.Hsm")
              .because("who has a lease knows nothing of devices"),
          modules("settings", "identity", "signing", "json", "jms", "rest", "operations", "service")
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.signing.hsm..",
                  "org.keywell.signing.ca..",
                  "org.keywell.settings..",
                  "org.keywell.service.kmip..",
                  "org.keywell.service.xks..",
                  "org.keywell.operations.metrics..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.keypool.hsm.pkcs11..", "org.keywell.keypool.hsm.timed..")
              .because("who opens a device knows what it is; all others know the seam"),
          modules(SERVER)
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.keypool.store..",
                  "org.keywell.kmip.store..",
                  "org.keywell.xks.store..",
                  "org.keywell.signing.record..",
                  "org.keywell.signing.log..",
                  "org.keywell.signing.database..")
              .should()
              .dependOnClassesThat()
              .haveFullyQualifiedName("java.sql.PreparedStatement")
              .because("SQL is written in six packages"),
          slices()
              .matching("org.keywell.(**)")
              .should()
              .beFreeOfCycles()
              .because("each package can be understood without those that use it"),
          modules("cli")
              .should()
              .dependOnClassesThat(
                  resideInAnyPackage(packages(SERVER))
                      .or(resideInAnyPackage(packages("standalone", "loadgen", "plan", "bench"))))
              .because("it knows the service by its HTTP contract, and its log by public formats"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.cli.log..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("picocli..", "org.keywell.dss..", "org.keywell.cli.options..")
              .because("what verifies a log knows no command line"),
          modules("loadgen", "plan")
              .and()
              .resideOutsideOfPackage("org.keywell.loadgen.speed..")
              .should()
              .dependOnClassesThat(resideInAnyPackage(packages(SERVER)).or(NOT_FOR_CALLERS))
              .because("they know the service by its HTTP contract"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.loadgen.speed..")
              .should()
              .dependOnClassesThat(
                  resideInAnyPackage(packages(SERVER))
                      .and(
                          not(
                              resideInAnyPackage(
                                  "org.keywell.kmip.ttlv..",
                                  "org.keywell.kmip.table..",
                                  "org.keywell.kmip.client..")))
                      .or(NOT_FOR_CALLERS))
              .because("a KMIP client shares the encoding with the service, and nothing else"),
          modules("loadgen").should().dependOnClassesThat().resideInAPackage("org.keywell.plan.."),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.loadgen.text..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.client..",
                  "org.keywell.cli..",
                  "org.keywell.loadgen.(report|drive)..")
              .because("texts know of numbers only"),
          modules("plan")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.client..",
                  "org.keywell.loadgen.(drive|schedule|service|verify|watch)..")
              .because("it needs no service"),
          modules("plan")
              .and()
              .resideOutsideOfPackage("org.keywell.plan.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("org.keywell.loadgen.(cli|report)..", "org.keywell.plan.cli.."),
          modules("loadgen", "plan", "bench")
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.loadgen.cli..", "org.keywell.plan.cli..", "org.keywell.bench.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("picocli.."),
          noClasses()
              .that()
              .resideInAnyPackage(
                  "org.keywell.bench.tables.figure..", "org.keywell.bench.tables.report..")
              .should()
              .dependOnClassesThat(
                  resideInAnyPackage(packages(SERVER))
                      .or(resideInAnyPackage("org.keywell.bench.tables.measure..")))
              .because("figures and reports know of no device"),
          noClasses()
              .should()
              .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)")
              .because("a name says what a class is responsible for"),
          classes()
              .that()
              .areTopLevelClasses()
              .and()
              .areNotInterfaces()
              .and()
              .areNotAnnotatedWith("org.springframework.context.annotation.Configuration")
              .and()
              .areNotAnnotatedWith("org.springframework.boot.SpringBootConfiguration")
              .and(describe("are not sealed", one -> !isSealed(one)))
              .should()
              .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL));

  /** None of the classes of these modules. */
  private static GivenClassesConjunction modules(String... modules) {
    return noClasses().that().resideInAnyPackage(packages(modules));
  }

  private static String[] packages(String... modules) {
    return Stream.of(modules).map(module -> "org.keywell." + module + "..").toArray(String[]::new);
  }

  @BeforeAll
  static void allAreBuilt() {
    assertThat(BUILT).as("'./mvnw compile' makes what is missing").allMatch(Files::isDirectory);
  }

  /** A class tells only once it is loaded whether it is sealed. */
  private static boolean isSealed(JavaClass one) {
    try {
      return Class.forName(one.getName(), false, LOADER).isSealed();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static URL url(Path directory) {
    try {
      return directory.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  @TestFactory
  List<DynamicTest> rules() {
    return RULES.stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(CLASSES)))
        .toList();
  }
}

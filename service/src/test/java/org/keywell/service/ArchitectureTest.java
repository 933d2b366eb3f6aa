package org.keywell.service;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Keeps the map of docs/ARCHITECTURE.md true. */
final class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(
              location -> !location.contains("-tests.jar") && !location.contains("testkit"))
          .importPackages("org.keywell");

  private static final List<ArchRule> RULES =
      List.of(
          noClasses()
              .that()
              .resideInAPackage("org.keywell.keypool..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.ca..",
                  "org.keywell.service..",
                  "org.springframework..",
                  "io.micrometer..",
                  "org.bouncycastle.."),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.ca..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.keypool..",
                  "org.keywell.service..",
                  "org.springframework..",
                  "io.micrometer.."),
          noClasses()
              .that()
              .resideInAnyPackage(
                  "org.keywell.service..", "org.keywell.keypool..", "org.keywell.ca..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.client..",
                  "org.keywell.cli..",
                  "org.keywell.loadgen..",
                  "org.keywell.bench..")
              .because("callers share the HTTP contract with the service and nothing else"),
          noClasses()
              .that()
              .resideInAnyPackage(
                  "org.keywell.service.sign..",
                  "org.keywell.service.act..",
                  "org.keywell.service.request..",
                  "org.keywell.service.record..",
                  "org.keywell.service.fairness..",
                  "org.keywell.service.caller..")
              .and()
              .haveNameNotMatching(
                  ".*\\.((Sign|Act)(Controller|RequestParser|RequestBody|Response"
                      + "|HttpConfiguration|Door)|CallerDoor|DigestsBody"
                      + "|WarmUp(Configuration)?|Rehearsal)(\\$.*)?")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.service.problem..",
                  "org.keywell.service.http..",
                  "org.keywell.service.security..",
                  "org.keywell.service.tls..",
                  "org.keywell.service.web..",
                  "jakarta.servlet..",
                  "org.springframework.web..",
                  "org.springframework.http..",
                  "tools.jackson..")
              .because("another way in than HTTP asks the same core, and hears its own words"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.ca..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("org.bouncycastle..")
              .because("only the CA uses Bouncy Castle"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.dss..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("eu.europa.esig..")
              .because("its licence is not ours, so what uses it is a module of its own"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.service.ops.metrics..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.micrometer..")
              .because("the others tell listeners"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.service..")
              .and()
              .resideOutsideOfPackage("org.keywell.service.ops.console..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("org.HdrHistogram..", "org.webjars..")
              .because("only the console has percentiles of its own and files for browsers"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.service.identity.jwt..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("com.nimbusds..")
              .because("JOSE is spoken in one place"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.keypool.hsm.pkcs11..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("java.lang.foreign..")
              .because("only the binding speaks PKCS#11"),
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
          noClasses()
              .that()
              .resideInAnyPackage(
                  "org.keywell.service..", "org.keywell.keypool..", "org.keywell.ca..")
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
                      + "|PooledHsm|DeviceRole|Device|KeyLease|Worker)")
              .because("the pool has one front door, KeyPools, and what passes through it"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.service..")
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.service.hsm..",
                  "org.keywell.service.pool..",
                  "org.keywell.service.launch..")
              .should()
              .dependOnClassesThat()
              .haveFullyQualifiedName("org.keywell.keypool.hsm.Hsm")
              .because("who has a lease knows nothing of devices"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.service..")
              .and()
              .resideOutsideOfPackages(
                  "org.keywell.service.hsm..",
                  "org.keywell.service.ca..",
                  "org.keywell.service.settings..",
                  "org.keywell.service.ops.metrics..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.keypool.hsm.pkcs11..", "org.keywell.keypool.hsm.timed..")
              .because("who opens a device knows what it is; all others know the seam"),
          slices()
              .matching("org.keywell.(**)")
              .should()
              .beFreeOfCycles()
              .because("each package can be understood without those that use it"),
          noClasses()
              .that()
              .resideInAPackage("org.keywell.service.settings..")
              .should()
              .dependOnClassesThat(
                  resideInAPackage("org.keywell.service..")
                      .and(not(resideInAPackage("org.keywell.service.settings.."))))
              .because("settings are a leaf"),
          noClasses()
              .that()
              .resideInAnyPackage("org.keywell.service.record..", "org.keywell.service.request..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.service.problem..",
                  "org.springframework.http..",
                  "jakarta.servlet..")
              .because("what a request is, and its record, know no way in"),
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
              .and(describe("are not sealed", one -> !one.reflect().isSealed()))
              .should()
              .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL));

  @TestFactory
  List<DynamicTest> rules() {
    return RULES.stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(CLASSES)))
        .toList();
  }
}

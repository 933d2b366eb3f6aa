package org.keywell.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.keywell.architecture.Built.SERVER;
import static org.keywell.architecture.Built.check;
import static org.keywell.architecture.Built.modules;
import static org.keywell.architecture.Built.packages;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Who lies above whom, as the picture of docs/ARCHITECTURE.md has it. */
final class LayersTest {

  @TestFactory
  List<DynamicTest> rules() {
    return check(
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
            .because("what is deployed brings no database along"));
  }
}

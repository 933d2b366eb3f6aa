package org.keywell.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.keywell.architecture.Built.SERVER;
import static org.keywell.architecture.Built.check;
import static org.keywell.architecture.Built.modules;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The ways in know what is asked for, and nothing of each other. */
final class DoorsTest {

  private static final String[] KMIP = {
    "org.keywell.kmip.ttlv..",
    "org.keywell.kmip.table..",
    "org.keywell.kmip.client..",
    "org.keywell.kmip.message.."
  };

  @TestFactory
  List<DynamicTest> rules() {
    return check(
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
                        "javax.naming..",
                        "javax.net.ssl..",
                        "javax.security.auth.x500..",
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
            .because("what an object is does not depend on where it is kept"));
  }
}

package org.keywell.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.keywell.architecture.Built.SERVER;
import static org.keywell.architecture.Built.check;
import static org.keywell.architecture.Built.modules;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What each library is used by, and what uses none. */
final class LibrariesTest {

  @TestFactory
  List<DynamicTest> rules() {
    return check(
        modules("tlog")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("java..", "org.keywell.tlog..", "org.jspecify..")
            .because("what verifies a log for years needs nothing but Java"),
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
            .and()
            .doNotHaveFullyQualifiedName("org.keywell.dss.RevocationInScope")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bouncycastle..")
            .because(
                "certificates and CMS are written in two modules; DSS hides the scope of a list"),
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
        modules(SERVER)
            .and()
            .resideOutsideOfPackages(
                "org.keywell.keypool.store..",
                "org.keywell.kmip.store..",
                "org.keywell.xks.store..",
                "org.keywell.signing.record..",
                "org.keywell.signing.log..",
                "org.keywell.signing.revocation..",
                "org.keywell.signing.database..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.sql.PreparedStatement")
            .because("SQL is written in seven packages"));
  }
}

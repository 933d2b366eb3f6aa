package org.keywell.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.keywell.architecture.Built.check;
import static org.keywell.architecture.Built.modules;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the pool, its store and its binding show, and to whom. */
final class SurfaceTest {

  @TestFactory
  List<DynamicTest> rules() {
    return check(
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
                ".*\\.(ClaimLimit|Estate|GenerationsStore|Giving|JdbcWrappedKeyStore|KeyHistory|KeyLedger"
                    + "|LedgerBalance|MisplacedKeys|PoolMarks|RecordBalance|StoreException"
                    + "|StoredKey|WrappedKeyStore)")
            .because(
                "the store shows keys, their account, and of its statements the one part that ends"
                    + " a claim within that of a key's new owner"),
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
                    + "|WrappingKeyChoice|WrappingKeyGenerations|WrappingKeyOrigin|WrappingKeyRecipient)")
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
            .because("who opens a device knows what it is; all others know the seam"));
  }
}

package org.keywell.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.keywell.architecture.Built.SERVER;
import static org.keywell.architecture.Built.check;
import static org.keywell.architecture.Built.modules;
import static org.keywell.architecture.Built.packages;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What operators and callers run knows the service from outside. */
final class ProgramsTest {

  private static final DescribedPredicate<JavaClass> NOT_FOR_CALLERS =
      resideInAnyPackage(
          "org.keywell.bench..", "org.keywell.cli", "org.springframework..", "org.bouncycastle..");

  @TestFactory
  List<DynamicTest> rules() {
    return check(
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
                "org.keywell.client..", "org.keywell.cli..", "org.keywell.loadgen.(report|drive)..")
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
            .because("figures and reports know of no device"));
  }
}

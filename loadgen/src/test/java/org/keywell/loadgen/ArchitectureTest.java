package org.keywell.loadgen;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The load generator shares only the HTTP contract with the service. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.keywell.loadgen");

  private static final List<ArchRule> RULES =
      List.of(
          noClasses()
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.settings..",
                  "org.keywell.identity..",
                  "org.keywell.signing..",
                  "org.keywell.rest..",
                  "org.keywell.operations..",
                  "org.keywell.service..",
                  "org.keywell.keypool..",
                  "org.keywell.ca..",
                  "org.keywell.bench..",
                  "org.keywell.plan..",
                  "org.keywell.cli",
                  "org.springframework..",
                  "org.bouncycastle..")
              .because("it knows the service by its HTTP contract"),
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
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.loadgen.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("picocli.."),
          slices().matching("org.keywell.loadgen.(*)..").should().beFreeOfCycles(),
          noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)"),
          classes()
              .that()
              .areTopLevelClasses()
              .and()
              .areNotInterfaces()
              .should()
              .haveModifier(JavaModifier.FINAL));

  @TestFactory
  List<DynamicTest> rules() {
    return RULES.stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(CLASSES)))
        .toList();
  }
}

package org.keywell.plan;

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

/** A plan is arithmetic: it drives nothing and asks nobody. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.keywell.plan");

  private static final List<ArchRule> RULES =
      List.of(
          noClasses()
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.client..",
                  "org.keywell.cli",
                  "org.keywell.loadgen.(drive|schedule|service|verify|watch)..",
                  "org.keywell.settings..",
                  "org.keywell.identity..",
                  "org.keywell.signing..",
                  "org.keywell.rest..",
                  "org.keywell.operations..",
                  "org.keywell.service..",
                  "org.keywell.keypool..",
                  "org.keywell.ca..",
                  "org.keywell.bench..",
                  "org.springframework..")
              .because("it needs no service"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.plan.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "picocli..", "org.keywell.loadgen.(cli|report)..", "org.keywell.plan.cli.."),
          slices().matching("org.keywell.plan.(**)").should().beFreeOfCycles(),
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

package org.keywell.bench;

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

/** What measures may use what it measures; what tells of it may not. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.keywell.bench");

  private static final List<ArchRule> RULES =
      List.of(
          noClasses()
              .that()
              .resideInAnyPackage(
                  "org.keywell.bench.tables.figure..", "org.keywell.bench.tables.report..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "org.keywell.keypool..",
                  "org.keywell.ca..",
                  "org.keywell.settings..",
                  "org.keywell.identity..",
                  "org.keywell.signing..",
                  "org.keywell.rest..",
                  "org.keywell.operations..",
                  "org.keywell.service..",
                  "org.keywell.bench.tables.measure..")
              .because("figures and reports know of no device"),
          noClasses()
              .that()
              .resideOutsideOfPackage("org.keywell.bench.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("picocli.."),
          slices().matching("org.keywell.bench.(**)").should().beFreeOfCycles(),
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

package org.keywell.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.keywell.architecture.Built.check;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How classes are named and built, and that packages form no cycle. */
final class ClassesTest {

  @TestFactory
  List<DynamicTest> rules() {
    return check(
        slices()
            .matching("org.keywell.(**)")
            .should()
            .beFreeOfCycles()
            .because("each package can be understood without those that use it"),
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
            .and(describe("are not sealed", one -> !Built.isSealed(one)))
            .should()
            .haveModifier(FINAL));
  }
}

package org.keywell.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** All modules as Maven has built them, read once for all rules. None is on the class path. */
final class Built {

  /** What is deployed. */
  static final String[] SERVER = {
    "keypool",
    "ca",
    "listener",
    "kmip",
    "xks",
    "settings",
    "identity",
    "signing",
    "json",
    "jms",
    "rest",
    "operations",
    "service"
  };

  private static final List<Path> DIRECTORIES =
      Stream.concat(
              Stream.of(SERVER),
              Stream.of(
                  "kmip-messages",
                  "tlog",
                  "protection",
                  "standalone",
                  "client",
                  "message-client",
                  "dss",
                  "cli",
                  "starter",
                  "loadgen",
                  "plan",
                  "bench"))
          .map(module -> Path.of("..", module, "target", "classes"))
          .toList();

  private static final JavaClasses CLASSES = read();

  private Built() {}

  private static JavaClasses read() {
    for (Path directory : DIRECTORIES) {
      if (!Files.isDirectory(directory)) {
        throw new IllegalStateException(
            directory + " is missing; './mvnw compile' in the top directory makes it");
      }
    }
    return new ClassFileImporter().importPaths(DIRECTORIES);
  }

  /** None of the classes of these modules. */
  static GivenClassesConjunction modules(String... modules) {
    return noClasses().that().resideInAnyPackage(packages(modules));
  }

  static String[] packages(String... modules) {
    return Stream.of(modules).map(module -> "org.keywell." + module + "..").toArray(String[]::new);
  }

  /** ArchUnit does not tell. */
  static boolean isSealed(JavaClass one) {
    try {
      return ClassFile.of()
          .parse(Path.of(one.getSource().orElseThrow().getUri()))
          .findAttribute(Attributes.permittedSubclasses())
          .isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<DynamicTest> check(ArchRule... rules) {
    return Stream.of(rules)
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(CLASSES)))
        .toList();
  }
}

package org.keywell.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Digits are the same under every locale: in texts, in SQL and in other languages of machines.
 * Programs set the locale before all else; libraries run in the processes of others, and what
 * writes such languages may, so these do not ask for it. Error Prone forbids letters' cases by the
 * default locale everywhere.
 */
final class LocalesTest {

  /** {@code %d}, {@code %,d}, {@code %.1f} …; {@code %s} writes numbers as Java does. */
  private static final Pattern LOCALIZED = Pattern.compile("(?<!%)%[-#+ 0,(.\\d$]*[defgEGAtT]");

  private static final List<String> WITHOUT =
      List.of("client", "tlog", "protection", "message-client", "dss", "starter", "ca", "jms");

  private static final List<String> WITH_SQL = List.of("keypool", "signing", "kmip", "xks");

  private static final List<String> PROGRAMS =
      List.of("service", "cli", "loadgen", "plan", "bench");

  @Test
  void librariesAndWhatMachinesReadFormatNoNumberByTheDefaultLocale() throws Exception {
    assertThat(methods(WITHOUT, (_, method) -> formatsNumbers(method))).isEmpty();
    assertThat(methods(WITH_SQL, (owner, method) -> usesSql(owner) && formatsNumbers(method)))
        .isEmpty();
  }

  @Test
  void programsSetTheLocale() throws Exception {
    assertThat(methods(PROGRAMS, (_, method) -> isMain(method))).hasSizeGreaterThan(4);
    assertThat(methods(PROGRAMS, (_, method) -> isMain(method) && !setsTheLocale(method)))
        .isEmpty();
  }

  private interface Filter {
    boolean accepts(ClassModel owner, MethodModel method);
  }

  private static List<String> methods(List<String> modules, Filter filter) throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "target", "classes", "org"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
          ClassModel owner = ClassFile.of().parse(file);
          owner.methods().stream()
              .filter(method -> filter.accepts(owner, method))
              .map(method -> owner.thisClass().asInternalName() + "." + method.methodName())
              .forEach(found::add);
        }
      }
    }
    return found;
  }

  private static boolean formatsNumbers(MethodModel method) {
    return code(method).anyMatch(LocalesTest::isLocalized)
        && code(method)
            .anyMatch(element ->
                isCall(element, "formatted", "(")
                    || isCall(element, "format", "(Ljava/lang/String;")
                    || isCall(element, "printf", "(Ljava/lang/String;"));
  }

  private static boolean usesSql(ClassModel owner) {
    for (PoolEntry entry : owner.constantPool()) {
      if (entry instanceof ClassEntry used && used.asInternalName().startsWith("java/sql/")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMain(MethodModel method) {
    return method.methodName().equalsString("main")
        && method.methodType().equalsString("([Ljava/lang/String;)V");
  }

  private static boolean setsTheLocale(MethodModel main) {
    return code(main)
        .anyMatch(element ->
            isCall(element, "setDefault", "(Ljava/util/Locale;)")
                || isCall(element, "run", "(Lpicocli/CommandLine;"));
  }

  private static Stream<CodeElement> code(MethodModel method) {
    return method.code().stream().flatMap(code -> code.elementStream());
  }

  private static boolean isLocalized(CodeElement element) {
    return element instanceof ConstantInstruction constant
        && constant.constantValue() instanceof String text
        && LOCALIZED.matcher(text).find();
  }

  private static boolean isCall(CodeElement element, String name, String parameters) {
    return element instanceof InvokeInstruction call
        && call.name().equalsString(name)
        && call.type().stringValue().startsWith(parameters);
  }
}

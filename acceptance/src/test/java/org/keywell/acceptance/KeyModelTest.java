package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/model/key.pml and the code together. */
final class KeyModelTest {

  private static final Path MODEL = Path.of("..", "docs", "model", "key.pml");

  /** As the model names the method that takes a step. */
  private static final Pattern NAMED = Pattern.compile("/\\* ([A-Z]\\w+\\.[a-z]\\w+) \\*/");

  private static final Pattern MOVES_KEYS =
      Pattern.compile("(INSERT\\s+INTO|DELETE\\s+FROM|UPDATE)\\s+(pool_key|claimed_key)\\b");

  private static final Path STORE =
      Path.of("..", "keypool", "target", "classes", "org", "keywell", "keypool", "store");

  @Test
  void theModelNamesMethodsThatExist() throws IOException {
    Set<String> existing = methods(Path.of("..", "keypool", "target", "classes"), _ -> true);
    existing.addAll(methods(Path.of("..", "signing", "target", "classes"), _ -> true));

    assertThat(existing).containsAll(named());
  }

  @Test
  void theModelNamesEachMethodOfTheStoreThatMovesKeys() throws IOException {
    Set<String> moving = methods(STORE, KeyModelTest::movesKeys);

    assertThat(moving)
        .as("the test recognises such methods")
        .contains("Claims.claim", "Claims.putBack", "Estate.forfeit", "JdbcWrappedKeyStore.settle");
    assertThat(named()).as("docs/model/key.pml").containsAll(moving);
  }

  private static Set<String> named() throws IOException {
    return NAMED
        .matcher(Files.readString(MODEL))
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the methods below a directory, lambdas as the methods that contain them. */
  private static Set<String> methods(Path classes, Predicate<MethodModel> wanted)
      throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(KeyModelTest::parse)
          .flatMap(
              type -> type.methods().stream().filter(wanted).map(method -> nameOf(type, method)))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String nameOf(ClassModel type, MethodModel method) {
    String name = method.methodName().stringValue();
    String simple = type.thisClass().asInternalName().replaceFirst(".*/", "");
    return simple + "." + (name.startsWith("lambda$") ? name.split("\\$", -1)[1] : name);
  }

  /** Whether it uses a statement that moves keys; those that only put its text together do not. */
  private static boolean movesKeys(MethodModel method) {
    if (method.methodName().equalsString("<clinit>")
        || method.methodTypeSymbol().returnType().equals(ConstantDescs.CD_String)) {
      return false;
    }
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .anyMatch(element ->
            switch (element) {
              case ConstantInstruction constant ->
                  MOVES_KEYS.matcher(String.valueOf(constant.constantValue())).find();
              case FieldInstruction field -> MOVES_KEYS.matcher(textOf(field)).find();
              default -> false;
            });
  }

  /** Returns the text of a constant of the store; empty for any other field. */
  private static String textOf(FieldInstruction instruction) {
    String type = instruction.owner().asInternalName().replace('/', '.');
    if (!type.startsWith("org.keywell.keypool.store.")
        || !instruction.typeSymbol().equals(ConstantDescs.CD_String)) {
      return "";
    }
    try {
      Field field = Class.forName(type).getDeclaredField(instruction.name().stringValue());
      if (!Modifier.isStatic(field.getModifiers())) {
        return "";
      }
      field.setAccessible(true);
      return String.valueOf(field.get(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}

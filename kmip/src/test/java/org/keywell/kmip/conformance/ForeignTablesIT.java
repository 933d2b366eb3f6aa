package org.keywell.kmip.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.Tag;

/** Our tables against those of two implementations that share no code with us. */
@org.junit.jupiter.api.Tag("lint")
final class ForeignTablesIT {

  /** The names of enumerations are compared without their marks. */
  private static final String PYKMIP =
      """
      import enum, importlib.util, os
      package = importlib.util.find_spec("kmip").submodule_search_locations[0]
      file = os.path.join(package, "core", "enums.py")
      spec = importlib.util.spec_from_file_location("enums", file)
      enums = importlib.util.module_from_spec(spec)
      spec.loader.exec_module(enums)
      for name, each in vars(enums).items():
          if isinstance(each, type) and issubclass(each, enum.Enum):
              for value in each:
                  if isinstance(value.value, int) and not isinstance(value.value, bool):
                      print("%s\\t%s\\t%08X" % (name, value.name, value.value))
      """;

  /** Where PyKMIP 0.11 has another name than the specification, or one of its own. */
  private static final List<String> PYKMIP_DIFFERS =
      List.of(
          "CryptographicAlgorithm TRIPLE_DES is DES3",
          "CryptographicUsageMask CONTENT_COMMITMENT is ContentCommitmentNonRepudiation",
          "ObjectType OPAQUE_DATA is OpaqueObject",
          "OpaqueDataType NONE is null",
          "RecommendedCurve SECP191K1 is SECP192K1",
          "Tags DEFAULT is null",
          "Tags RESERVED is null");

  /** Enumerations of PyKMIP that are no table here: its own, and the codes of the encoding. */
  private static final Pattern NO_TABLES =
      Pattern.compile("(AuthenticationSuite|ConformanceClause|ItemType|Types)\\t.*");

  /** Where kmip-go 0.8.1 has another name than the specification. */
  private static final List<String> KMIP_GO_DIFFERS =
      List.of(
          "HashingAlgorithm SHA_3_224 is SHA3_224",
          "HashingAlgorithm SHA_3_256 is SHA3_256",
          "HashingAlgorithm SHA_3_384 is SHA3_384",
          "HashingAlgorithm SHA_3_512 is SHA3_512",
          "ResultReason IndexOutofBounds is IndexOutOfBounds",
          "SplitKeyMethod PolynomialSharingGF216 is PolynomialSharingGF2_16",
          "SplitKeyMethod PolynomialSharingGF28 is PolynomialSharingGF2_8");

  private final Map<String, Map<Integer, String>> ours = new HashMap<>();

  @TempDir private Path directory;

  ForeignTablesIT() {
    Map<Integer, String> tags = new HashMap<>();
    for (Tag tag : Tag.all()) {
      tags.put(tag.number(), tag.name());
      for (var each : Enumerations.of(tag.name())) {
        ours.computeIfAbsent(key(tag.name()), key -> new HashMap<>()).put(each.bits(), each.name());
      }
    }
    ours.put(key("Tags"), tags);
    ours.put(key("tag"), tags);
  }

  /** Without case and marks: PyKMIP writes {@code RNG_ALGORITHM}. */
  private static String key(String name) {
    return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "");
  }

  @Test
  void kmipGoHasTheSame() throws Exception {
    List<String> lines =
        ForeignParts.run(ForeignParts.judge("tables"), directory.resolve("tables"));

    assertThat(differences(lines, true)).containsExactlyInAnyOrderElementsOf(KMIP_GO_DIFFERS);
    assertThat(lines).hasSizeGreaterThan(800);
  }

  @Test
  void pyKmipHasTheSame() throws Exception {
    List<String> lines =
        ForeignParts.run(ForeignParts.python("-c", PYKMIP), directory.resolve("enums"));
    lines.removeIf(line -> NO_TABLES.matcher(line).matches());

    assertThat(differences(lines, false)).containsExactlyInAnyOrderElementsOf(PYKMIP_DIFFERS);
    assertThat(lines).hasSizeGreaterThan(1000);
  }

  private List<String> differences(List<String> lines, boolean exact) {
    assertThat(lines.getFirst()).as("%s", lines).isEqualTo("0");
    List<String> differences = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] row = line.split("\t", -1);
      Map<Integer, String> enumeration = ours.getOrDefault(key(row[0]), Map.of());
      String name = enumeration.get(Integer.parseUnsignedInt(row[2], 16));
      boolean same = name != null && (exact ? name.equals(row[1]) : key(name).equals(key(row[1])));
      if (!same) {
        differences.add("%s %s is %s".formatted(row[0], row[1], name));
      }
    }
    return differences;
  }
}

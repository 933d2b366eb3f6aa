package org.keywell.service.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

final class StrictYamlTest {

  record Garden(@DefaultValue List<Bed> beds, @DefaultValue("1d") Duration rest) {}

  record Bed(String plant, int rows, @Nullable String note, @DefaultValue List<Row> sown) {
    Bed {
      if (rows < 1) {
        throw new IllegalArgumentException("rows has to be at least 1");
      }
    }
  }

  record Row(int number) {}

  @Test
  void bindsRecordsAsSettingsAre(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("garden.yaml");
    Files.writeString(
        file,
        """
        garden:
          rest: 2h
          beds:
            - plant: "leek"
              rows: 3
              sown: [{number: 1}, {number: 2}]
            - plant: kale
              rows: 1
              note: late
        """);

    assertThat(StrictYaml.read(file, "garden", Garden.class))
        .isEqualTo(
            new Garden(
                List.of(
                    new Bed("leek", 3, null, List.of(new Row(1), new Row(2))),
                    new Bed("kale", 1, "late", List.of())),
                Duration.ofHours(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "garden: {rests: 2h}                        | garden.rests",
        "garden: {beds: [{plant: leek, rows: 3, notes: late}]} | garden.beds[0].notes",
        "garden: {beds: [{plant: leek, rows: 3, sown: [{number: 1}, {number: 2, nr: 3}]}]} | sown[1].nr",
        "garden: {beds: [{plant: leek, rows: 0}]}   | rows has to be at least 1",
        "garden: {beds: [{plant: leek, rows: many}]}| many",
        "garden: {rest: 2h}\\nshed: 1               | shed",
        "shed: 1                                    | shed",
        "garden: {rest: 2h}\\n---\\ngarden: {}      | documents",
        "'garden: [unfinished'                      | is not YAML",
        "garden: {rest: 2h, rest: 3h}               | is not YAML",
        "garden: !!java.net.URL [\"http://x\"]      | garden.yaml",
      })
  void namesFileAndFault(String yaml, String fault) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind(yaml.replace("\\n", "\n")))
        .withMessageContaining("garden.yaml")
        .withMessageContaining(fault);
  }

  @Test
  void namesAFileThatIsNotThere(@TempDir Path directory) {
    Path file = directory.resolve("none.yaml");

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> StrictYaml.read(file, "garden", Garden.class))
        .withMessageContaining(file.toString());
  }

  @Test
  void anEmptyFileHasNoKey() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind(""))
        .withMessageContaining("garden.yaml");
  }

  private static Garden bind(String yaml) {
    return StrictYaml.bind("garden.yaml", yaml.getBytes(UTF_8), "garden", Garden.class);
  }
}

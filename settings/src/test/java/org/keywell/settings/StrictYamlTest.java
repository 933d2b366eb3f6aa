package org.keywell.settings;

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
import org.junit.jupiter.params.provider.ValueSource;
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
        "garden: {rest: 2h}\\nshed: 1               | shed",
        "shed: 1                                    | shed",
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

  /** What YAML 1.1 has beyond what it seems to say, and what makes much of little. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "garden: {rest: &a 2h} | line 1: garden.rest: anchors and aliases",
        "garden: {beds: &a [*a]} | line 1: garden.beds: anchors and aliases",
        "garden:\\n  beds:\\n    - *a | line 3: garden.beds[0]: anchors and aliases",
        "garden: {<<: {rest: 2h}} | line 1: garden: '<<'",
        "garden: {rest: !!str 2h} | line 1: garden.rest: tags",
        "garden: !g {rest: 2h} | line 1: garden: tags",
        "garden: {? [rest] : 2h} | line 1: garden: a key has to be a text",
        "garden: {rest: 2h}\\n--- {} | line 2: a second YAML document",
        "garden:\\n\\trest: 2h | is not YAML",
        "garden: {rest: 2h, rest: 3h} | duplicate key rest",
        "garden: {beds: [{plant: leek, rows: 1e30}]} | line 1: garden.beds[0].rows: '1e30' is no whole number",
        "garden: {beds: [{plant: leek, rows: 1.5}]} | '1.5' is no whole number",
        "garden: {beds: [{plant: leek, rows: .inf}]} | '.inf' is no whole number",
        "garden: {beds: [{plant: leek, rows: -.INF}]} | '-.INF' is no whole number",
        "garden: {beds: [{plant: leek, rows: .nan}]} | '.nan' is no whole number",
        "garden: {beds: [{plant: leek, rows: 0x10}]} | '0x10' is no whole number",
        "garden: {beds: [{plant: leek, rows: 010}]} | '010' is no whole number",
        "garden: {beds: [{plant: leek, rows: 0b11}]} | '0b11' is no whole number",
        "garden: {beds: [{plant: leek, rows: 1_000}]} | '1_000' is no whole number",
        "garden: {beds: [{plant: leek, rows: 1:30}]} | '1:30' is no whole number",
        "garden: {beds: [{plant: leek, rows: +5}]} | '+5' is no whole number",
        "garden: {beds: [{plant: leek, rows: 9223372036854775808}]} | from -9223372036854775808 to 9223372036854775807",
        "garden: {beds: [{plant: leek, rows: 3000000000}]} | line 1: garden.beds[0].rows: no whole number up to 2147483647",
        "garden: {beds: [{plant: leek, rows: many}]} | line 1: garden.beds[0].rows: no whole number up to 2147483647",
        "garden: {beds: [{plant: NO, rows: 1}]} | line 1: garden.beds[0].plant: 'NO' is neither true nor false",
        "garden: {beds: [{plant: on, rows: 1}]} | 'on' is neither true nor false",
        "garden: {rest: 2001-12-14} | '2001-12-14'",
      })
  void readsOnlyWhatIsWritten(String yaml, String fault) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind(yaml.replace("\\n", "\n").replace("\\t", "\t")))
        .withMessageContaining("garden.yaml")
        .withMessageContaining(fault);
  }

  @Test
  void aTextThatLooksLikeANumberGoesInQuotes() {
    assertThat(bind("garden: {beds: [{plant: 'NO', rows: 1, note: \"1e30\"}]}").beds())
        .containsExactly(new Bed("NO", 1, "1e30", List.of()));
  }

  @Test
  void aByteOrderMarkIsNoKey() {
    assertThat(bind("\uFEFFgarden: {rest: 2h}").rest()).isEqualTo(Duration.ofHours(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- "})
  void depthIsBounded(String level) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind("garden:\n  " + level.repeat(20_000)))
        .withMessageContaining("more than 16 levels");
  }

  @Test
  void eventsAreBounded() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind("garden: [" + "a,".repeat(300_000) + "]"))
        .withMessageContaining("more than 250000 YAML events");
  }

  @Test
  void aValueIsBounded() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind("garden: '" + "a".repeat(70_000) + "'"))
        .withMessageContaining("more than 65536 characters");
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

package org.keywell.bench.tables.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.bench.tables.figure.ThesisRow.Kind;

/** Spot checks against the printed pages: the tables are read as they are meant. */
final class ThesisTablesTest {

  @ParameterizedTest
  @CsvSource({
    "GENERATION, 3, '2,000 keys', GENERATE, 669.491",
    "WRAP_AND_SAVE, 3, '1,000 keys', WRAP_AND_SAVE, 121.223",
    "TRANSFER, 10, 'write 10,000 keys', WRITE, 0.94",
    "LOAD_AND_UNWRAP, 4, '4,000 keys', LOAD_AND_UNWRAP, 70.858",
    "WHOLE_SIGNING, 5, 'Malmö, 9,999 requests', SIGN, 20.392",
    "THREADS, 6, '50 threads', THROUGHPUT, 6.6",
    "SIGNING_WHILE_UNWRAPPING, 2, 'Malmö, 10,000 requests', SIGN, 21.432",
  })
  void theLastRowOfEachTableIsThePrintedOne(
      TableId table, int rows, String name, Quantity quantity, double millis) {
    assertThat(ThesisTables.rows(table)).hasSize(rows);
    ThesisRow last = ThesisTables.rows(table).getLast();
    assertThat(last.name()).isEqualTo(name);
    assertThat(last.millis(quantity)).contains(millis);
  }

  @Test
  void totalsOfBlocksAreSpreadOverTheirKeys() {
    ThesisRow first = ThesisTables.rows(TableId.LOAD_AND_UNWRAP).getFirst();

    assertThat(first.millis(Quantity.LOAD).orElseThrow()).isCloseTo(0.537, Offset.offset(1e-9));
    assertThat(first.millis(Quantity.CIPHER_INIT).orElseThrow())
        .isCloseTo(2.719, Offset.offset(1e-9));
  }

  @Test
  void aRangeIsNotATime() {
    ThesisRow row = ThesisTables.rows(TableId.THREADS).getLast();

    assertThat(row.printed(Quantity.SINGLE)).contains(new Printed(Quantity.SINGLE, 0, 700));
    assertThat(row.millis(Quantity.SINGLE)).isEmpty();
    assertThat(row.threads()).isEqualTo(50);
  }

  @Test
  void rowsKnowWhereTheyWereMeasured() {
    assertThat(ThesisTables.rows(TableId.WHOLE_SIGNING))
        .extracting(ThesisRow::kind)
        .containsExactly(Kind.REMOTE, Kind.REMOTE, Kind.REMOTE, Kind.NEAR, Kind.NEAR);
    assertThat(ThesisTables.rows(TableId.SIGNING_WHILE_UNWRAPPING))
        .extracting(ThesisRow::kind)
        .containsOnly(Kind.NEAR);
    assertThat(ThesisTables.rows(TableId.THREADS))
        .extracting(ThesisRow::threads)
        .isEqualTo(List.of(1, 2, 4, 10, 30, 50));
  }

  @ParameterizedTest
  @CsvSource({
    "2-4, GENERATION",
    "2-8, WHOLE_SIGNING",
    "2-9, WHOLE_SIGNING",
    "2-8/2-9, WHOLE_SIGNING",
    "2-11, SIGNING_WHILE_UNWRAPPING",
  })
  void aTableIsFoundByItsNumber(String number, TableId table) {
    assertThat(TableId.ofNumber(number)).isEqualTo(table);
  }

  @Test
  void anotherNumberIsRefusedWithThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TableId.ofNumber("4-1"))
        .withMessageContaining("'4-1'")
        .withMessageContaining("2-4, 2-5, 2-6, 2-7, 2-8/2-9, 2-10, 2-11");
  }
}

package org.keywell.bench.tables.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Made;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Measurement;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.TableId;

/**
 * Each sentence of the page against figures whose means, shares and ratios are easy to check by
 * hand.
 */
@Timeout(120)
final class SentencesIT {
  private static final String LUNA = "luna-sa-1700";
  private static final String FAR = "luna-sa-1700-remote";

  @TempDir private Path folder = Path.of("");

  private String sentence(MeasuredTable table, MeasuredTable... others) throws Exception {
    List<MeasuredTable> all = new ArrayList<>(List.of(others));
    all.add(table);
    return ShownPage.of(ShownPage.run(all, ShownPage.CLEAN, null, null), folder)
        .sentence(table.id().number());
  }

  private static MeasuredTable generation() {
    return Made.table(TableId.GENERATION)
        .with(0, Column.NATIVE, "native", often(Quantity.GENERATE, 80, 100, 150))
        .with(0, Column.SIMULATED, LUNA, often(Quantity.GENERATE, 600, 625, 660))
        .done();
  }

  /** Each of these times, twenty times over. */
  private static Measurement.Timed often(Quantity quantity, double... millis) {
    return Made.singles(
        quantity,
        IntStream.range(0, 20 * millis.length).mapToDouble(i -> millis[i / 20]).toArray());
  }

  @Test
  void oneOutlierDoesNotMakeTheSentence() throws Exception {
    double[] millis = new double[40];
    Arrays.fill(millis, 100);
    millis[7] = 10_000;
    MeasuredTable table =
        Made.table(TableId.GENERATION)
            .with(0, Column.NATIVE, "native", Made.singles(Quantity.GENERATE, millis))
            .done();

    assertThat(sentence(table)).startsWith("A key pair takes 100 ms on this HSM");
  }

  @Test
  void fewerThanThirtyMakeNoSentence() throws Exception {
    double[] few = new double[29];
    Arrays.fill(few, 100);
    for (TableId id :
        List.of(
            TableId.GENERATION,
            TableId.WRAP_AND_SAVE,
            TableId.LOAD_AND_UNWRAP,
            TableId.WHOLE_SIGNING,
            TableId.SIGNING_WHILE_UNWRAPPING)) {
      MeasuredTable table =
          Made.table(id)
              .with(
                  1,
                  Column.NATIVE,
                  "native",
                  Made.singles(Quantity.GENERATE, few),
                  Made.singles(Quantity.WRAP_AND_SAVE, few),
                  Made.together(Quantity.LOAD_AND_UNWRAP, 29, 100),
                  Made.singles(Quantity.SIGN, few))
              .done();
      assertThat(sentence(table))
          .as(id.number())
          .isEqualTo("Too few to compare (n = 29): it takes 30.");
    }
    MeasuredTable threads =
        Made.table(TableId.THREADS)
            .with(0, Column.NATIVE, "native", Made.together(Quantity.THROUGHPUT, 10, 400))
            .with(5, Column.NATIVE, "native", Made.together(Quantity.THROUGHPUT, 100, 400))
            .done();
    assertThat(sentence(threads)).isEqualTo("Too few to compare (n = 10): it takes 30.");
    MeasuredTable transfer =
        Made.table(TableId.TRANSFER)
            .with(0, Column.NATIVE, "native", Made.together(Quantity.LOAD, 10, 20))
            .with(4, Column.NATIVE, "native", Made.together(Quantity.LOAD, 1_000, 50))
            .done();
    assertThat(sentence(transfer)).isEqualTo("Too few to compare (n = 10): it takes 30.");
  }

  @Test
  void generation24() throws Exception {
    assertThat(sentence(generation()))
        .isEqualTo(
            "A key pair takes 100 ms on this HSM, 625 ms on the simulated device and 665 to 683 ms"
                + " in the thesis: 10, 1.6 and 1.46 to 1.5 of them a second.");
  }

  @Test
  void wrapAndSave25() throws Exception {
    MeasuredTable table =
        Made.table(TableId.WRAP_AND_SAVE)
            .with(
                1,
                Column.NATIVE,
                "native",
                often(Quantity.GENERATE, 98, 98),
                often(Quantity.WRAP_AND_SAVE, 2, 2),
                often(Quantity.GENERATE_WRAP_SAVE, 100, 100))
            .done();

    assertThat(sentence(table))
        .isEqualTo(
            "Of the time until a new key is stored, wrapping and saving is 2.0 % on this HSM (2.00"
                + " ms) and 15 to 17 % in the thesis; the rest is generation.");
  }

  @Test
  void transfer26() throws Exception {
    MeasuredTable table =
        Made.table(TableId.TRANSFER)
            .with(0, Column.NATIVE, "native", Made.together(Quantity.LOAD, 100, 20))
            .with(4, Column.NATIVE, "native", Made.together(Quantity.LOAD, 10_000, 500))
            .with(5, Column.NATIVE, "native", often(Quantity.WRITE, 2, 4))
            .done();

    assertThat(sentence(table))
        .isEqualTo(
            "A key that is loaded in a block of 100 costs 0.200 ms, 4.00 times what it costs in a"
                + " block of 10,000 (0.0500 ms); in the thesis 4.85 ms, 50.9 times what it costs in"
                + " the largest block (0.0953 ms).");
  }

  @Test
  void loadAndUnwrap27() throws Exception {
    MeasuredTable table =
        Made.table(TableId.LOAD_AND_UNWRAP)
            .with(
                0,
                Column.NATIVE,
                "native",
                Made.together(Quantity.LOAD, 60, 6),
                often(Quantity.UNWRAP, 0.3, 0.4, 0.5),
                Made.together(Quantity.LOAD_AND_UNWRAP, 60, 30))
            .done();

    assertThat(sentence(table))
        .isEqualTo(
            "A stored key is ready to sign after 0.500 ms on this HSM (80 % of it unwrapping) and"
                + " 70.9 to 74.5 ms in the thesis.");
    assertThat(sentence(table, generation()))
        .endsWith(
            "; making a new one takes 200 times as long on this HSM and 8.92 times as long or more"
                + " in the thesis.");
  }

  @Test
  void wholeSigning28And29() throws Exception {
    MeasuredTable table =
        Made.table(TableId.WHOLE_SIGNING)
            .with(0, Column.NATIVE, "native", often(Quantity.SIGN, 2, 2))
            .with(0, Column.SIMULATED, FAR, often(Quantity.SIGN, 40, 40))
            .with(3, Column.NATIVE, "native", often(Quantity.SIGN, 3, 3))
            .with(3, Column.SIMULATED, LUNA, often(Quantity.SIGN, 20, 20))
            .done();

    assertThat(sentence(table))
        .isEqualTo(
            "A whole signing takes 2.00 ms on this HSM; 40.0 ms from Stockholm and 20.0 ms on the"
                + " spot on the simulated device, 2.00 times as long; 43.3 to 43.9 ms and 20.4 to"
                + " 20.6 ms in the thesis, 2.12 times as long.");
  }

  private static MeasuredTable threads(double oneByOne, double withLanes) {
    return Made.table(TableId.THREADS)
        .with(
            0,
            Column.SIMULATED,
            FAR,
            Made.together(Quantity.THROUGHPUT, 50, 2_000),
            Made.singles(Quantity.SINGLE, 38, 42))
        .with(
            0,
            Column.SIMULATED_LANES,
            FAR + "-6-lanes",
            Made.together(Quantity.THROUGHPUT, 50, 2_000),
            Made.singles(Quantity.SINGLE, 40))
        .with(
            5,
            Column.SIMULATED,
            FAR,
            Made.together(Quantity.THROUGHPUT, 50, 50 * oneByOne),
            Made.singles(Quantity.SINGLE, 40, 2_000))
        .with(
            5,
            Column.SIMULATED_LANES,
            FAR + "-6-lanes",
            Made.together(Quantity.THROUGHPUT, 50, 50 * withLanes),
            Made.singles(Quantity.SINGLE, 300))
        .done();
  }

  @Test
  void threads210WhereOneOperationAtATimeIsNotEnough() throws Exception {
    assertThat(sentence(threads(40, 6.4)))
        .isEqualTo(
            "From 1 thread to 50 threads, the time per request goes from 40.0 ms to 40.0 ms on the"
                + " simulated device (the slowest single request: from 42.0 ms to 2,000 ms); from"
                + " 40.0 ms to 6.40 ms on the simulated device with more lanes (the slowest single"
                + " request: from 40.0 ms to 300 ms); from 43.0 ms to 6.60 ms in the thesis (the"
                + " slowest single request: from 20.0 ms to 700 ms). Threads gave the thesis a"
                + " factor of 6.5, and luna-sa-1700-remote a factor of 1.00: the thesis’s device"
                + " worked on several requests at the same time, or waits for the network"
                + " overlapped. On luna-sa-1700-remote-6-lanes the factor is 6.3.");
  }

  @Test
  void threads210DrawsNoConclusionThatTheFiguresDoNotGive() throws Exception {
    assertThat(sentence(threads(10, 6.4))).doesNotContain("Threads gave");
  }

  @Test
  void whileUnwrapping211() throws Exception {
    MeasuredTable alone =
        Made.table(TableId.WHOLE_SIGNING)
            .with(0, Column.NATIVE, "native", often(Quantity.SIGN, 99, 99))
            .with(4, Column.NATIVE, "native", often(Quantity.SIGN, 2, 2))
            .done();
    MeasuredTable table =
        Made.table(TableId.SIGNING_WHILE_UNWRAPPING)
            .with(
                0,
                Column.NATIVE,
                "native",
                often(Quantity.SIGN, 2, 2.5, 3),
                Made.singles(Quantity.UNWRAP_BESIDE, 1, 1, 1))
            .done();

    assertThat(sentence(table))
        .isEqualTo(
            "While another thread unwraps keys, a signing takes 2.50 ms on this HSM, beside 3"
                + " unwrapped keys; 21.4 to 22.7 ms in the thesis.");
    assertThat(sentence(table, alone))
        .isEqualTo(
            "While another thread unwraps keys, a signing takes 2.50 ms on this HSM instead of 2.00"
                + " ms (+25 %), beside 3 unwrapped keys; 21.4 to 22.7 ms in the thesis instead"
                + " of 20.4 to 20.6 ms.");
  }
}

package org.keywell.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weeks from a profile, from rates, and from files. */
final class WeekTest {
  private static final String HEADER = "hour,mon,tue,wed,thu,fri,sat,sun";

  private static Week profile(Map<Setting, String> texts) throws PlanInputException {
    return PlanSettings.of(texts, null).resolve().week();
  }

  @Test
  void theThesissWeekHas11Million() throws PlanInputException {
    Week week = profile(Map.of());

    // 2 h at 50/s, 6 h at 25/s and 16 h at 12.5/s: 450 / 24 = 18.75/s; 18.75 x 604,800 s.
    assertThat(week.meanPerSecond()).isEqualTo(18.75);
    assertThat(week.requests()).isEqualTo(11_340_000);
    assertThat(week.requestsOnBusiestDay()).isEqualTo(1_620_000);
    assertThat(week.mostRequestsInADay(HourKind.PEAK)).isEqualTo(360_000);
    assertThat(week.count(HourKind.PEAK)).isEqualTo(14);
    assertThat(week.count(HourKind.BUSINESS)).isEqualTo(42);
    assertThat(week.count(HourKind.OTHER)).isEqualTo(112);
    // Peak 11 to 13 in business hours 8 to 16; the others from 16 over midnight to 8.
    assertThat(week.kind(10)).isEqualTo(HourKind.BUSINESS);
    assertThat(week.kind(11)).isEqualTo(HourKind.PEAK);
    assertThat(week.kind(13)).isEqualTo(HourKind.BUSINESS);
    assertThat(week.longestStretchHours(HourKind.PEAK)).isEqualTo(2);
    assertThat(week.longestStretchHours(HourKind.BUSINESS)).isEqualTo(3);
    assertThat(week.longestStretchHours(HourKind.OTHER)).isEqualTo(16);
  }

  @Test
  void daysOffHaveNoBusinessHours() throws PlanInputException {
    Week week =
        profile(
            Map.of(
                Setting.BUSINESS_DAYS, "mon-fri",
                Setting.BUSINESS_HOURS, "8-12,13-17",
                Setting.PEAK_HOURS, "9-10,14-15",
                Setting.OTHER_SHARE, "0"));

    assertThat(week.count(HourKind.PEAK)).isEqualTo(10);
    assertThat(week.count(HourKind.BUSINESS)).isEqualTo(30);
    assertThat(week.ratePerSecond(12)).isZero();
    assertThat(week.kind(14)).isEqualTo(HourKind.PEAK);
    assertThat(week.kind(5 * 24 + 9)).isEqualTo(HourKind.OTHER);
    // From Friday at 17 o'clock to Monday at 8, over the week's end.
    assertThat(week.longestStretchHours(HourKind.OTHER)).isEqualTo(7 + 48 + 8);
    // 5 x (2 x 50 + 6 x 25) x 3,600.
    assertThat(week.requests()).isEqualTo(4_500_000);
  }

  @Test
  void peakHoursMayLieOutsideOfBusinessHours() throws PlanInputException {
    Week week = profile(Map.of(Setting.PEAK_HOURS, "22-24"));

    assertThat(week.kind(23)).isEqualTo(HourKind.PEAK);
    assertThat(week.count(HourKind.BUSINESS)).isEqualTo(56);
  }

  @ParameterizedTest
  @CsvSource({
    "PEAK_HOURS, 9",
    "PEAK_HOURS, 0",
    "PEAK_HOURS, -1",
    "PEAK_HOURS, 11-11",
    "PEAK_HOURS, 11-25",
    "PEAK_HOURS, noon",
    "BUSINESS_HOURS, 16-8",
    "BUSINESS_HOURS, ''",
    "BUSINESS_HOURS, '8-12,'",
    "BUSINESS_DAYS, monday",
    "BUSINESS_DAYS, fri-mon",
    "BUSINESS_DAYS, mon-tue-wed",
    "BUSINESS_SHARE, 1.1",
    "OTHER_SHARE, -0.1"
  })
  void aBadProfileNamesItsSetting(Setting setting, String text) {
    assertThatThrownBy(() -> profile(Map.of(setting, text)))
        .isInstanceOfSatisfying(
            PlanInputException.class, e -> assertThat(e.setting()).isEqualTo(setting))
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void ratesAloneTellTheKindByTheHighest() {
    double[] rates = new double[Week.HOURS];
    Arrays.fill(rates, 0, 3, 40); // the highest
    rates[3] = 21; // more than half
    rates[4] = 20; // half
    rates[5] = 11; // more than a quarter
    rates[6] = 10; // a quarter
    Week week = Week.ofRates(rates);

    assertThat(week.count(HourKind.PEAK)).isEqualTo(4);
    assertThat(week.count(HourKind.BUSINESS)).isEqualTo(2);
    assertThat(week.highestPerSecond(HourKind.BUSINESS)).isEqualTo(20);
    assertThat(week.highestPerSecond(HourKind.OTHER)).isEqualTo(10);
    assertThat(week.longestStretchHours(HourKind.PEAK)).isEqualTo(4);
  }

  private static List<String> csv() {
    List<String> lines = new ArrayList<>(List.of("# requests per second", HEADER));
    for (int hour = 0; hour < 24; hour++) {
      int rate = hour;
      lines.add(
          hour
              + ","
              + IntStream.range(0, 7)
                  .mapToObj(day -> String.valueOf(100 * day + rate))
                  .collect(Collectors.joining(",")));
    }
    return lines;
  }

  @Test
  void aTableOfRatesIsReadAsItIsWritten() throws Exception {
    Week week = PlanSettings.parseWeek(String.join("\n", csv()));

    assertThat(week.ratePerSecond(23)).isEqualTo(23);
    assertThat(week.ratePerSecond(6 * 24)).isEqualTo(600);
    Map<String, Object> values = PlanSettings.of(Map.of(), week).values();
    assertThat(values).containsKey("week").doesNotContainKeys("peakRatePerSecond", "otherShare");
  }

  @ParameterizedTest
  @CsvSource({
    "3, '1,1,1,1,1,1,1,1', 'line 3: hour must be 0'",
    "3, '0,1,1,1,1,1,1', 'line 3: 8 columns are needed, not 7'",
    "3, '0,1,1,x,1,1,1,1', 'line 3: wed ''x'' is not a rate'",
    "3, '0,1,1,-1,1,1,1,1', 'line 3: wed ''-1'' is not a rate'",
    "3, '0,1,1,NaN,1,1,1,1', 'line 3: wed ''NaN'' is not a rate'",
    "2, 'hour,mon', 'line 2: the first line must be hour,mon,tue'",
    "26, '', 'there are not 24 hours'",
    "26, '23,1,1,1,1,1,1,100001', 'line 26: sun ''100001'' is not a rate'"
  })
  void aBadTableNamesItsLine(int number, String line, String problem) {
    List<String> lines = csv();
    lines.set(number - 1, line);

    assertThatThrownBy(() -> PlanSettings.parseWeek(String.join("\n", lines)))
        .isInstanceOf(PlanFormatException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void a25thHourIsOneTooMany() {
    List<String> lines = csv();
    lines.add("24,1,1,1,1,1,1,1");

    assertThatThrownBy(() -> PlanSettings.parseWeek(String.join("\n", lines)))
        .hasMessage("line 27: there are more than 24 hours");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"mon\": [1]}", "{", "{\"mon\": 1, \"mon\": 2}"})
  void whatIsNoWeekIsRefused(String text) {
    assertThatThrownBy(() -> PlanSettings.parseWeek(text)).isInstanceOf(PlanFormatException.class);
  }

  @Test
  void aWeekWithoutRequestsIsRefused() {
    String hours = IntStream.range(0, 24).mapToObj(h -> "0").collect(Collectors.joining(","));
    String json =
        Ranges.DAYS.stream()
            .map(day -> "\"%s\": [%s]".formatted(day, hours))
            .collect(Collectors.joining(",", "{", "}"));

    assertThatThrownBy(() -> PlanSettings.parseWeek(json))
        .hasMessage("all rates of the week are 0");
  }
}

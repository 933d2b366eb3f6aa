package org.keywell.loadgen.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where a value lies between an axis's ends, and which values the axis names. */
public sealed interface Scale {

  /** 0 at the axis's begin, 1 at its end; values beyond the ends lie at the ends. */
  double position(double value);

  List<Double> ticks();

  /** Equal differences are equal distances. */
  record Linear(double from, double to) implements Scale {
    private static final int TICKS = 6;

    /** From 0 to a round number at or above {@code max}. */
    public static Linear upTo(double max) {
      double step = step(max);
      return new Linear(0, Math.max(1, Math.ceil(max / step - 1e-9)) * step);
    }

    private static double step(double span) {
      double raw = Math.max(span, 1e-9) / TICKS;
      double decade = Math.pow(10, Math.floor(Math.log10(raw)));
      double multiple = raw / decade;
      return decade * (multiple <= 1 ? 1 : multiple <= 2 ? 2 : multiple <= 5 ? 5 : 10);
    }

    @Override
    public double position(double value) {
      return Math.clamp((value - from) / (to - from), 0, 1);
    }

    @Override
    public List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      double step = step(to - from);
      for (int i = 0; from + i * step <= to + step * 1e-6; i++) {
        ticks.add(from + i * step);
      }
      return ticks;
    }
  }

  /** Equal ratios are equal distances; for values above 0. */
  record Logarithmic(double from, double to) implements Scale {

    /**
     * From a whole decade at or below {@code min} to 1, 2 or 5 times one at or above {@code max}.
     */
    public static Logarithmic over(double min, double max) {
      double from = Math.pow(10, Math.floor(Math.log10(Math.max(min, 1e-3))));
      double highest = Math.max(max, from * 10);
      double decade = Math.pow(10, Math.floor(Math.log10(highest)));
      double multiple = highest / decade - 1e-9;
      double to = decade * (multiple <= 1 ? 1 : multiple <= 2 ? 2 : multiple <= 5 ? 5 : 10);
      return new Logarithmic(from, to);
    }

    @Override
    public double position(double value) {
      double above = Math.log10(Math.max(value, from) / from);
      return Math.clamp(above / Math.log10(to / from), 0, 1);
    }

    @Override
    public List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      for (double tick = from; tick <= to * 1.001; tick *= 10) {
        ticks.add(tick);
      }
      return ticks;
    }
  }

  /** A number as axes and tables show it: no more digits than a person needs. */
  static String text(double value) {
    double size = Math.abs(value);
    if (size >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    String text = String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }
}

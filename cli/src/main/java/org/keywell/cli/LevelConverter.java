package org.keywell.cli;

import java.util.Arrays;
import java.util.Locale;
import org.keywell.dss.BaselineLevel;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a baseline level in any case. */
final class LevelConverter implements ITypeConverter<BaselineLevel> {

  @Override
  public BaselineLevel convert(String name) {
    return Arrays.stream(BaselineLevel.values())
        .filter(level -> level.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("'" + name + "' is none of b, t, lt, lta"));
  }
}

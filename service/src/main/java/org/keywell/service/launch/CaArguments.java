package org.keywell.service.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;

/**
 * The arguments of {@code ca-request} and {@code ca-import}: {@code [--device NAME] FILE}.
 *
 * @param device null: the only one
 */
record CaArguments(@Nullable String device, Path file) {

  private static final String DEVICE = "--device";

  /**
   * Parses the arguments.
   *
   * @throws StartRefusedException if they are invalid
   */
  static CaArguments parse(String command, List<String> arguments) {
    String device = null;
    List<Path> files = new ArrayList<>();
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String argument = rest.next();
      if (argument.equals(DEVICE) && rest.hasNext()) {
        device = rest.next();
      } else if (argument.startsWith(DEVICE + "=")) {
        device = argument.substring(DEVICE.length() + 1);
      } else if (argument.startsWith("--")) {
        throw new StartRefusedException(
            argument.equals(DEVICE)
                ? "--device needs a value"
                : command + " knows no option " + argument);
      } else {
        files.add(Path.of(argument));
      }
    }
    if (files.size() != 1) {
      throw new StartRefusedException(command + " needs one file");
    }
    return new CaArguments(device, files.getFirst());
  }
}

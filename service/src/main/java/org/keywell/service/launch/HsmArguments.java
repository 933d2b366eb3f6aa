package org.keywell.service.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.keywell.settings.StartRefusedException;

/** The arguments of {@code hsm}. */
sealed interface HsmArguments {

  /** Returns the device with the token; needed only if there are several. */
  Optional<String> device();

  /**
   * {@code transport [--device NAME] FILE}.
   *
   * @param file to write the request to
   */
  record Transport(Path file, Optional<String> device) implements HsmArguments {}

  /**
   * {@code enrol [--device NAME] --label LABEL --fingerprint F … REQUEST …}.
   *
   * @param label of the new wrapping key
   * @param requests at least one
   * @param fingerprints one for each request, in any order
   */
  record Enrol(
      String label, List<Path> requests, List<String> fingerprints, Optional<String> device)
      implements HsmArguments {}

  /** {@code accept [--device NAME] --fingerprint F ANSWER}. */
  record Accept(Path answer, String fingerprint, Optional<String> device) implements HsmArguments {}

  /**
   * Parses the arguments.
   *
   * @throws StartRefusedException if they match none of these
   */
  static HsmArguments parse(List<String> arguments) {
    if (arguments.isEmpty()) {
      throw new StartRefusedException("hsm needs one of: transport, enrol, accept");
    }
    String command = arguments.getFirst();
    List<Path> files = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    List<String> fingerprints = new ArrayList<>();
    List<String> devices = new ArrayList<>();
    for (Iterator<String> rest = arguments.listIterator(1); rest.hasNext(); ) {
      String argument = rest.next();
      Optional<String> label = option("--label", argument, rest);
      Optional<String> fingerprint = option("--fingerprint", argument, rest);
      Optional<String> named = option("--device", argument, rest);
      if (label.isPresent()) {
        labels.add(label.get());
      } else if (fingerprint.isPresent()) {
        fingerprints.add(fingerprint.get());
      } else if (named.isPresent()) {
        devices.add(named.get());
      } else if (argument.startsWith("--")) {
        throw new StartRefusedException("hsm " + command + " knows no option " + argument);
      } else {
        files.add(Path.of(argument));
      }
    }
    require(devices.size() <= 1, "hsm " + command + " takes one --device");
    Optional<String> device = devices.stream().findFirst();
    return switch (command) {
      case "transport" -> {
        require(
            files.size() == 1 && labels.isEmpty() && fingerprints.isEmpty(),
            "hsm transport needs one file to write, and no option but --device");
        yield new Transport(files.getFirst(), device);
      }
      case "enrol" -> {
        require(labels.size() == 1, "hsm enrol needs one --label, that of the new wrapping key");
        require(
            !files.isEmpty() && fingerprints.size() == files.size(),
            "hsm enrol needs requests, and a --fingerprint for each");
        yield new Enrol(labels.getFirst(), List.copyOf(files), List.copyOf(fingerprints), device);
      }
      case "accept" -> {
        require(
            files.size() == 1 && fingerprints.size() == 1 && labels.isEmpty(),
            "hsm accept needs one answer and its --fingerprint");
        yield new Accept(files.getFirst(), fingerprints.getFirst(), device);
      }
      default ->
          throw new StartRefusedException(
              "unknown command 'hsm " + command + "'; known: transport, enrol, accept");
    };
  }

  private static Optional<String> option(String name, String argument, Iterator<String> rest) {
    if (argument.startsWith(name + "=")) {
      return Optional.of(argument.substring(name.length() + 1));
    }
    if (!argument.equals(name)) {
      return Optional.empty();
    }
    require(rest.hasNext(), name + " needs a value");
    return Optional.of(rest.next());
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new StartRefusedException(message);
    }
  }
}

package org.keywell.bench.profile;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import one.profiler.AsyncProfiler;

/**
 * async-profiler inside another Java process of the same user. It sees native code, which JFR
 * attributes to its caller.
 */
public final class Profiler {
  /**
   * Options for that process; without them, a method inlined into its caller counts as the caller.
   */
  public static final String JAVA_OPTIONS =
      "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:+EnableDynamicAgentLoading";

  private final long pid;
  private final Path library;
  private final Path stacks;
  private final Path log;

  private Profiler(long pid, Path library, Path stacks, Path log) {
    this.pid = pid;
    this.library = library;
    this.stacks = stacks;
    this.log = log;
  }

  /**
   * Creates the profiler for a process.
   *
   * @param folder for its library and its output
   * @throws IOException if there is none for this system
   */
  public static Profiler of(long pid, Path folder) throws IOException {
    Path library = folder.toAbsolutePath().resolve("libasyncProfiler.so");
    String resource = "/" + platform() + "/libasyncProfiler.so";
    try (InputStream in = AsyncProfiler.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("async-profiler has no library for this system: " + resource);
      }
      Files.copy(in, library, StandardCopyOption.REPLACE_EXISTING);
    }
    return new Profiler(
        pid,
        library,
        library.resolveSibling("profile.collapsed"),
        library.resolveSibling("profiler.log"));
  }

  private static String platform() {
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac")) {
      return "macos";
    }
    return System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
  }

  /** Starts sampling; the next {@link #stop} ends it. */
  public void start(Event event) throws IOException {
    tell("start," + event.start() + ",cstack=vm");
  }

  /** Stops sampling; returns the stacks, one per line, frames from the thread inwards. */
  public List<String> stop(Event event) throws IOException {
    Files.deleteIfExists(stacks);
    tell("stop," + event.form() + ",file=" + stacks);
    return Files.readAllLines(stacks);
  }

  private void tell(String command) throws IOException {
    VirtualMachine machine;
    try {
      machine = VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " cannot be profiled: " + e.getMessage(), e);
    }
    try {
      machine.loadAgentPath(library.toString(), command + ",threads,dot,log=" + log);
    } catch (AgentLoadException | AgentInitializationException e) {
      String told = Files.exists(log) ? Files.readString(log).strip() : "";
      throw new IOException("async-profiler refuses '" + command + "': " + told, e);
    } finally {
      machine.detach();
    }
  }
}

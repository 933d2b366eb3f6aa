package org.keywell.service.reapply;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.keywell.service.kmip.ObjectEnds;
import org.keywell.service.xks.KeyCommands;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.log.StoredLog;
import org.keywell.signing.revocation.RestoredRevocations;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.xks.store.XksKeys;

/**
 * After a restored backup: compares the database with a copy of the log, and puts back what the
 * copy tells was ended. It may be repeated, and may run alongside a service.
 */
public final class Reapply {

  private final DataSource dataSource;
  private final String instance;
  private final HsmProperties hsms;
  private final BiConsumer<String, List<String>> tell;
  private final InstantSource clock;
  private final PrintStream out;

  /**
   * @param instance names this one in the log
   * @param hsms have the keys of the external key store
   * @param tell writes the entry of a command that was done again: its words, and to what
   */
  public Reapply(
      DataSource dataSource,
      String instance,
      HsmProperties hsms,
      BiConsumer<String, List<String>> tell,
      InstantSource clock,
      PrintStream out) {
    this.dataSource = dataSource;
    this.instance = instance;
    this.hsms = hsms;
    this.tell = tell;
    this.clock = clock;
    this.out = out;
  }

  /**
   * Lists what is lost.
   *
   * @param copy a directory, as {@code log export} makes it
   * @param more verifier keys of the log that the database does not know
   * @param apply whether it is put back, too
   * @throws StartRefusedException if the copy cannot be believed; nothing is changed
   */
  public void run(Path copy, List<String> more, boolean apply) {
    StoredLog log = new StoredLog(dataSource);
    String origin =
        log.origin().orElseThrow(() -> new StartRefusedException("the database keeps no log"));
    LostEnds ends;
    try {
      List<NoteKey> keys =
          Stream.concat(log.keys().stream(), more.stream()).map(NoteKey::parse).toList();
      CopiedLog copied = CopiedLog.open(copy, origin, keys);
      out.printf("Copy       %s, %d entries%n", origin, copied.checkpoint().size());
      ends = ends().compare(copied.lost(log::holds));
    } catch (NoSuchFileException e) {
      throw new StartRefusedException(copy + " is not a copy of a log: no " + e.getFile(), e);
    } catch (LogFormatException | IOException e) {
      throw new StartRefusedException("%s: %s".formatted(copy, e.getMessage()), e);
    }
    ends.byHand().forEach(text -> out.println("By hand    " + text));
    for (LostEnds.Lost lost : ends.lost()) {
      if (apply) {
        lost.again().run();
      }
      out.println((apply ? "Put back   " : "Lost       ") + lost.text());
    }
    out.println(summary(ends.lost().size(), apply));
  }

  private static String summary(int lost, boolean apply) {
    if (lost == 0) {
      return "nothing to put back";
    }
    return apply
        ? lost + " put back"
        : lost + " to put back; nothing was changed: run it again with --apply";
  }

  private LostEnds ends() {
    XksKeys keys = new XksKeys(dataSource, instance);
    return new LostEnds(
        new RestoredRevocations(dataSource, instance),
        keys,
        new KeyCommands(keys, hsms),
        new ObjectEnds(dataSource, instance),
        tell,
        clock);
  }
}

package org.keywell.cli.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileHashes;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.Tree;
import org.keywell.tlog.TreeHash;

/** A log in a directory, and how to damage it. */
public final class TestLog {
  public static final String ORIGIN = "keywell.example/log";

  private final Path directory;
  private final KeyPair pair;
  private final NoteKey key;
  private RightEdge edge = RightEdge.empty();
  private List<byte[]> lastBundle = new ArrayList<>();

  private TestLog(Path directory, KeyPair pair) {
    this.directory = directory;
    this.pair = pair;
    this.key = NoteKey.of(ORIGIN, pair.getPublic());
  }

  /**
   * Creates an empty log.
   *
   * @param algorithm of its key: Ed25519 or EC
   */
  public static TestLog in(Path directory, String algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(256);
    }
    return new TestLog(directory, generator.generateKeyPair());
  }

  /** Returns an empty log elsewhere that has this one's key. */
  public TestLog elsewhere(Path other) {
    return new TestLog(other, pair);
  }

  public Path directory() {
    return directory;
  }

  public NoteKey key() {
    return key;
  }

  public long size() {
    return edge.size();
  }

  /** An entry with a number, of a kind that services do not write. */
  public static byte[] entry(long number) {
    return "{\"number\":%d,\"v\":1}".formatted(number).getBytes(StandardCharsets.UTF_8);
  }

  /** Appends numbered entries up to a size, and signs a checkpoint. */
  public TestLog growTo(long size) throws Exception {
    List<byte[]> entries = new ArrayList<>();
    for (long number = edge.size(); number < size; number++) {
      entries.add(entry(number));
    }
    return append(entries);
  }

  /** Appends entries and signs a checkpoint. */
  public TestLog append(List<byte[]> entries) throws Exception {
    long index = edge.size();
    for (byte[] entry : entries) {
      lastBundle.add(entry);
      index++;
      if (lastBundle.size() == TileId.FULL || index == edge.size() + entries.size()) {
        write(
            TileId.ofEntries((index - 1) / TileId.FULL, lastBundle.size()),
            EntryBundle.encode(lastBundle));
      }
      if (lastBundle.size() == TileId.FULL) {
        lastBundle = new ArrayList<>();
      }
    }
    RightEdge.Grown grown = edge.append(entries.stream().map(TreeHash::ofLeaf).toList());
    for (Map.Entry<TileId, byte[]> tile : grown.tiles().entrySet()) {
      write(tile.getKey(), tile.getValue());
    }
    edge = grown.edge();
    write("checkpoint", signed(checkpoint()).bytes());
    write("key", (key + "\n").getBytes(StandardCharsets.UTF_8));
    return this;
  }

  public Checkpoint checkpoint() {
    return new Checkpoint(ORIGIN, edge.size(), edge.root());
  }

  public SignedNote signed(Checkpoint checkpoint) throws GeneralSecurityException {
    Signature signer =
        Signature.getInstance(
            pair.getPublic().getAlgorithm().equals("EC") ? "SHA256withECDSA" : "Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update(checkpoint.text().getBytes(StandardCharsets.UTF_8));
    return new SignedNote(
        checkpoint.text(), List.of(new NoteSignature(key.name(), key.id(), signer.sign())));
  }

  /** Returns the proof of an entry, which is its extra data. */
  public TlogProof proof(long index) throws Exception {
    TileId bundle = TileId.ofEntries(index / TileId.FULL, width(index / TileId.FULL));
    List<byte[]> entries = EntryBundle.decode(Files.readAllBytes(path(bundle)));
    return new TlogProof(
        entries.get((int) (index % TileId.FULL)),
        index,
        new Tree(size(), new TileHashes(size(), new LogDirectory(directory))).inclusionProof(index),
        signed(checkpoint()));
  }

  private int width(long bundle) {
    return (int) Math.min(TileId.FULL, size() - bundle * TileId.FULL);
  }

  public Path path(TileId tile) {
    return directory.resolve(tile.path());
  }

  public void delete(TileId tile) throws IOException {
    Files.delete(path(tile));
  }

  /** Flips one bit. */
  public void spoil(TileId tile, int at) throws IOException {
    byte[] content = Files.readAllBytes(path(tile));
    content[at] ^= 1;
    Files.write(path(tile), content);
  }

  /** Changes the entries of a bundle, which stays well-formed; no tile is changed. */
  public void rewrite(long bundle, UnaryOperator<List<byte[]>> change) throws IOException {
    TileId tile = TileId.ofEntries(bundle, width(bundle));
    List<byte[]> entries = new ArrayList<>(EntryBundle.decode(Files.readAllBytes(path(tile))));
    write(tile, EntryBundle.encode(change.apply(entries)));
  }

  private void write(TileId tile, byte[] content) throws IOException {
    write(tile.path(), content);
  }

  public void write(String path, byte[] content) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }
}

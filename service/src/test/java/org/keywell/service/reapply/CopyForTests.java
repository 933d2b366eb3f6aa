package org.keywell.service.reapply;

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
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TreeHash;

/** A short log in a directory, signed by a new key. */
final class CopyForTests {

  private final Path directory;
  private final String origin;
  private final KeyPair pair;
  private final List<byte[]> entries = new ArrayList<>();

  CopyForTests(Path directory, String origin) throws GeneralSecurityException {
    this.directory = directory;
    this.origin = origin;
    this.pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  NoteKey key() {
    return NoteKey.of(origin, pair.getPublic());
  }

  List<byte[]> entries() {
    return List.copyOf(entries);
  }

  CopyForTests add(String entry) {
    entries.add(entry.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Writes it, with at most 255 entries. */
  Path write() throws IOException, GeneralSecurityException {
    RightEdge.Grown grown =
        RightEdge.empty().append(entries.stream().map(TreeHash::ofLeaf).toList());
    write(TileId.ofEntries(0, entries.size()), EntryBundle.encode(entries));
    for (Map.Entry<TileId, byte[]> tile : grown.tiles().entrySet()) {
      write(tile.getKey(), tile.getValue());
    }
    Checkpoint checkpoint = new Checkpoint(origin, entries.size(), grown.edge().root());
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update(checkpoint.text().getBytes(StandardCharsets.UTF_8));
    NoteSignature signature = new NoteSignature(origin, key().id(), signer.sign());
    Files.write(
        directory.resolve("checkpoint"),
        new SignedNote(checkpoint.text(), List.of(signature)).bytes());
    return directory;
  }

  /** Changes what an entry says, and nothing else. */
  void spoil(String from, String to) throws IOException {
    Path bundle = directory.resolve(TileId.ofEntries(0, entries.size()).path());
    String text = new String(Files.readAllBytes(bundle), StandardCharsets.ISO_8859_1);
    Files.write(bundle, text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1));
  }

  private void write(TileId tile, byte[] content) throws IOException {
    Path file = directory.resolve(tile.path());
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }
}

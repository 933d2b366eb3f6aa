package org.keywell.tlog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A text with signatures (C2SP signed-note).
 *
 * @param text ends with a newline
 * @param signatures from 1 to {@link #MAX_SIGNATURES}; not verified
 */
public record SignedNote(String text, List<NoteSignature> signatures) {

  public static final int MAX_SIGNATURES = 64;

  /** Of a note, in bytes. */
  public static final int MAX_LENGTH = 512 * 1024;

  public SignedNote {
    if (!text.endsWith("\n") || text.chars().anyMatch(c -> c < ' ' && c != '\n')) {
      throw new LogFormatException("a note's text ends with a newline, and has no control codes");
    }
    signatures = List.copyOf(signatures);
    if (signatures.isEmpty() || signatures.size() > MAX_SIGNATURES) {
      throw new LogFormatException("a note with " + signatures.size() + " signatures");
    }
  }

  /**
   * Reads a note.
   *
   * @throws LogFormatException if it is none
   */
  public static SignedNote parse(byte[] note) {
    if (note.length > MAX_LENGTH) {
      throw new LogFormatException("a note of " + note.length + " bytes");
    }
    String all = Lines.utf8(note, "a note");
    int end = all.lastIndexOf("\n\n");
    if (end < 0 || !all.endsWith("\n") || end + 2 >= all.length()) {
      throw new LogFormatException("a note without signatures");
    }
    String lines = all.substring(end + 2, all.length() - 1);
    return new SignedNote(
        all.substring(0, end + 1),
        Stream.of(lines.split("\n", -1)).map(NoteSignature::parse).toList());
  }

  public byte[] bytes() {
    StringBuilder note = new StringBuilder(text).append('\n');
    signatures.forEach(signature -> note.append(signature.line()).append('\n'));
    return note.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the note with more signatures; those that it has already are left out. */
  public SignedNote with(Collection<NoteSignature> more) {
    Set<NoteSignature> all = new LinkedHashSet<>(signatures);
    all.addAll(more);
    return new SignedNote(text, List.copyOf(all));
  }

  /**
   * Returns which of these keys signed it, each once: a policy can count them.
   *
   * @throws LogFormatException if one of them has a signature that does not verify
   */
  public List<NoteKey> signedBy(Collection<NoteKey> known) {
    List<NoteKey> signers = new ArrayList<>();
    for (NoteKey key : new LinkedHashSet<>(known)) {
      List<NoteSignature> its = madeBy(key).toList();
      if (!its.stream().allMatch(signature -> key.verifies(text, signature))) {
        throw new LogFormatException("a signature of " + key.name() + " does not verify");
      }
      if (!its.isEmpty()) {
        signers.add(key);
      }
    }
    return signers;
  }

  private Stream<NoteSignature> madeBy(NoteKey key) {
    return signatures.stream()
        .filter(signature -> signature.name().equals(key.name()))
        .filter(signature -> signature.keyId() == key.id());
  }
}

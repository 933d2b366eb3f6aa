package org.keywell.ca;

import java.lang.Character.UnicodeBlock;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects names that can pass for others: those with compatibility characters, which Unicode's NFKC
 * changes, those with letters in frames or marks that cover letters, and those with a word that
 * mixes scripts. A word is a run of letters, marks and numbers. It may contain the scripts that UTS
 * #39's highly restrictive level allows: one script, or Latin with those of Japanese, Chinese or
 * Korean. Different words may use different scripts.
 */
public final class LookAlikeNames {

  private static final List<Set<UnicodeScript>> TOGETHER =
      List.of(
          EnumSet.of(
              UnicodeScript.LATIN,
              UnicodeScript.HAN,
              UnicodeScript.HIRAGANA,
              UnicodeScript.KATAKANA),
          EnumSet.of(UnicodeScript.LATIN, UnicodeScript.HAN, UnicodeScript.BOPOMOFO),
          EnumSet.of(UnicodeScript.LATIN, UnicodeScript.HAN, UnicodeScript.HANGUL));

  private static final Set<UnicodeBlock> COVERING =
      Set.of(
          UnicodeBlock.COMBINING_MARKS_FOR_SYMBOLS,
          UnicodeBlock.COMBINING_HALF_MARKS,
          UnicodeBlock.ENCLOSED_ALPHANUMERICS,
          UnicodeBlock.ENCLOSED_ALPHANUMERIC_SUPPLEMENT);

  private static final Map<UnicodeBlock, UnicodeScript> SHARED_MARKS =
      Map.of(
          UnicodeBlock.ARABIC, UnicodeScript.ARABIC,
          UnicodeBlock.HIRAGANA, UnicodeScript.HIRAGANA);

  /** UTS #39, section 5.4. Names in Hebrew or Thai have up to three on a letter. */
  private static final int MOST_MARKS = 4;

  private LookAlikeNames() {}

  /**
   * Refuses a subject that can pass for another.
   *
   * @throws InvalidSubjectException naming the first such attribute
   */
  public static void refuse(Subject subject) {
    check(SubjectAttribute.COMMON_NAME, subject.commonName());
    check(SubjectAttribute.GIVEN_NAME, subject.givenName());
    check(SubjectAttribute.SURNAME, subject.surname());
    check(SubjectAttribute.ORGANIZATION, subject.organization());
    check(SubjectAttribute.ORGANIZATIONAL_UNIT, subject.organizationalUnit());
  }

  private static void check(SubjectAttribute attribute, @Nullable String value) {
    if (value == null) {
      return;
    }
    if (!Normalizer.isNormalized(value, Normalizer.Form.NFKC)) {
      throw new InvalidSubjectException(
          attribute, "contains a compatibility character, which Unicode's form NFKC changes");
    }
    checkMarks(attribute, value);
    Set<UnicodeScript> word = EnumSet.noneOf(UnicodeScript.class);
    for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
      int codePoint = value.codePointAt(i);
      if (!isOfAWord(codePoint)) {
        word.clear();
        continue;
      }
      UnicodeScript script = scriptOf(codePoint);
      if (script != UnicodeScript.COMMON && script != UnicodeScript.INHERITED) {
        word.add(script);
      }
      if (word.size() > 1 && TOGETHER.stream().noneMatch(scripts -> scripts.containsAll(word))) {
        throw new InvalidSubjectException(
            attribute, "has a word with letters from several scripts");
      }
    }
  }

  private static void checkMarks(SubjectAttribute attribute, String value) {
    int marks = 0;
    int last = -1;
    for (int codePoint : value.codePoints().toArray()) {
      if (covers(codePoint)) {
        throw new InvalidSubjectException(
            attribute,
            "has a letter in a frame, or a mark that covers one: U+%s"
                .formatted(Integer.toHexString(codePoint).toUpperCase(Locale.ROOT)));
      }
      boolean isMark = Character.getType(codePoint) == Character.NON_SPACING_MARK;
      marks = isMark ? marks + 1 : 0;
      if (marks > MOST_MARKS || (isMark && codePoint == last)) {
        throw new InvalidSubjectException(attribute, "has a letter under a pile of marks");
      }
      last = codePoint;
    }
  }

  /** Whether it hides, strikes out or frames a letter, or is a framed one that NFKC leaves. */
  private static boolean covers(int codePoint) {
    return Character.getType(codePoint) == Character.ENCLOSING_MARK
        || COVERING.contains(UnicodeBlock.of(codePoint))
        || (codePoint >= 0x0334 && codePoint <= 0x0338) // overlays: tilde, strokes, slashes
        || (codePoint >= 0x2776 && codePoint <= 0x2793); // digits in black circles
  }

  /** Vowel signs and sound marks that Unicode lets several scripts share fit no other letter. */
  private static UnicodeScript scriptOf(int codePoint) {
    UnicodeScript script = UnicodeScript.of(codePoint);
    if (script == UnicodeScript.INHERITED) {
      return SHARED_MARKS.getOrDefault(UnicodeBlock.of(codePoint), script);
    }
    return script;
  }

  private static boolean isOfAWord(int codePoint) {
    return Character.isLetterOrDigit(codePoint)
        || switch (Character.getType(codePoint)) {
          case Character.NON_SPACING_MARK,
              Character.COMBINING_SPACING_MARK,
              Character.ENCLOSING_MARK,
              Character.LETTER_NUMBER,
              Character.OTHER_NUMBER ->
              true;
          default -> false;
        };
  }
}

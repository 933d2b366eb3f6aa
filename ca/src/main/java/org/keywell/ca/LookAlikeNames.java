package org.keywell.ca;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects names that can pass for others: those with compatibility characters, which Unicode's NFKC
 * changes, and those with a word that mixes scripts. A word is a run of letters, marks and numbers.
 * It may contain the scripts that UTS #39's highly restrictive level allows: one script, or Latin
 * with those of Japanese, Chinese or Korean. Different words may use different scripts.
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
    Set<UnicodeScript> word = EnumSet.noneOf(UnicodeScript.class);
    for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
      int codePoint = value.codePointAt(i);
      if (!isOfAWord(codePoint)) {
        word.clear();
        continue;
      }
      UnicodeScript script = UnicodeScript.of(codePoint);
      if (script != UnicodeScript.COMMON && script != UnicodeScript.INHERITED) {
        word.add(script);
      }
      if (word.size() > 1 && TOGETHER.stream().noneMatch(scripts -> scripts.containsAll(word))) {
        throw new InvalidSubjectException(
            attribute, "has a word with letters from several scripts");
      }
    }
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

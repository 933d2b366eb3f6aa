package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.ca.CaChain;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.testkit.ManualTime;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Timeout(60)
final class IssuingCasTest {

  private static final SubjectKeyPair KEY = SubjectKeyPair.ec("secp256r1");
  private static final Subject SUBJECT = Subject.ofCommonName("Anybody");
  private static final CertificationRequest REQUEST = KEY.request(SUBJECT);

  /** A device with its CA, and both with faults to switch. */
  private record Part(String name, FakeCertificateAuthority ca, AtomicBoolean fails) {

    Part(String name) {
      this(name, new FakeCertificateAuthority(), new AtomicBoolean());
    }

    CaWatch watch() {
      return new CaWatch(name, ca, fails::get, new ManualTime());
    }

    CaChain chain() {
      return CaChain.of(ca.chain());
    }
  }

  /** One that issues under another name than others. */
  private record Renamed(CertificateAuthority ca) implements CertificateAuthority {
    @Override
    public Certification certify(CertificationRequest request) {
      return ca.certify(request);
    }

    @Override
    public boolean isValid() {
      return ca.isValid();
    }

    @Override
    public Optional<Refused> prove() {
      return ca.prove();
    }

    @Override
    public ListAnswer sign(RevocationList list) {
      return ca.sign(list);
    }

    @Override
    public List<X509Certificate> chain() {
      return ca.chain().reversed();
    }
  }

  private final Part a = new Part("a");
  private final Part b = new Part("b");
  private final Part c = new Part("c");
  private final List<Part> parts = List.of(a, b, c);
  private final IssuingCas cas = new IssuingCas(parts.stream().map(Part::watch).toList());

  private static CaChain chainOf(Certification answer) {
    assertThat(answer).isInstanceOf(Certified.class);
    return ((Certified) answer).issuedUnder();
  }

  private void assertRefused(String device, CertificationRequest request, Reason reason) {
    assertThat(cas.certify(device, request))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private void bringDown(Part part) {
    part.ca.refuse(Reason.CA_UNAVAILABLE);
    for (int i = 0; i < CaWatch.FAILURES; i++) {
      cas.certify(part.name, REQUEST);
    }
  }

  @Test
  void noCertificateLeavesWhoseClockIsInDoubtBeforeOrAfter() {
    AtomicInteger asked = new AtomicInteger();
    IssuingCas later = new IssuingCas(List.of(a.watch()), () -> asked.incrementAndGet() > 1);
    IssuingCas never = new IssuingCas(List.of(b.watch()), () -> true);

    for (Certification answer : List.of(later.certify("a", REQUEST), never.certify("b", REQUEST))) {
      assertThat(answer)
          .isInstanceOfSatisfying(
              Refused.class, refused -> assertThat(refused.detail()).contains("clock"));
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void theCaInTheKeysOwnDeviceIssues() {
    for (Part part : parts) {
      assertThat(chainOf(cas.certify(part.name, REQUEST))).isEqualTo(part.chain());
    }
    assertThat(parts).allSatisfy(part -> assertThat(part.ca.calls()).isEqualTo(1));
  }

  /** One for whom nothing is left to allocate. */
  private record Idle(Certification answer, List<X509Certificate> chain)
      implements CertificateAuthority {
    @Override
    public Certification certify(CertificationRequest request) {
      return answer;
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public Optional<Refused> prove() {
      return Optional.empty();
    }

    @Override
    public ListAnswer sign(RevocationList list) {
      return new ListAnswer.NotSigned("idle");
    }
  }

  @Test
  void allocatesNothingWhileTheOwnOneIssues() {
    var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Idle idle = new Idle(a.ca.certify(REQUEST), a.ca.chain());
    IssuingCas several =
        new IssuingCas(
            Stream.of("a", "b", "c")
                .map(name -> new CaWatch(name, idle, () -> false, new ManualTime()))
                .toList());
    int rounds = 10_000;
    round(several, rounds);
    long before = memory.getCurrentThreadAllocatedBytes();

    round(several, rounds);

    // The measurement itself allocates a little.
    assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(rounds);
  }

  private static void round(IssuingCas cas, int rounds) {
    for (int i = 0; i < rounds; i++) {
      if (cas.isDown() || !(cas.certify("c", REQUEST) instanceof Certified)) {
        throw new AssertionError("it works");
      }
    }
  }

  @Test
  void anotherIssuesWhereTheOwnOneFails() {
    b.ca.refuse(Reason.CA_UNAVAILABLE);
    assertThat(chainOf(cas.certify("b", REQUEST))).isEqualTo(a.chain());

    a.ca.refuse(Reason.CA_NOT_VALID);
    assertThat(chainOf(cas.certify("b", REQUEST))).isEqualTo(c.chain());
  }

  @Test
  void oneThatIsDownIsNotAskedUntilItProvesItself() {
    bringDown(a);
    int asked = a.ca.calls();
    assertThat(chainOf(cas.certify("a", REQUEST))).isEqualTo(b.chain());
    assertThat(a.ca.calls()).isEqualTo(asked);

    a.ca.recover();
    cas.all().forEach(CaWatch::look);
    assertThat(chainOf(cas.certify("a", REQUEST))).isEqualTo(a.chain());
  }

  /** Otherwise certificates would wait for a device that is being reopened. */
  @Test
  void oneInADeviceThatFailsIsNotAsked() {
    a.fails.set(true);
    assertThat(chainOf(cas.certify("a", REQUEST))).isEqualTo(b.chain());
    assertThat(a.ca.calls()).isZero();
    assertThat(cas.isDown()).isFalse();
  }

  @Test
  void ifNoneCanTheOwnOneSaysWhy() {
    parts.forEach(this::bringDown);
    int others = b.ca.calls() + c.ca.calls();
    assertRefused("a", REQUEST, Reason.CA_UNAVAILABLE);
    assertThat(b.ca.calls() + c.ca.calls()).isEqualTo(others);
  }

  @Test
  void isDownOnlyIfNoneCanIssue() {
    assertThat(cas.isDown()).isFalse();
    bringDown(a);
    b.ca.refuse(Reason.CA_NOT_VALID);
    assertThat(cas.isDown()).isFalse();
    assertThat(cas.isValid()).isTrue();

    c.fails.set(true);
    assertThat(cas.isDown()).isTrue();

    b.ca.recover();
    assertThat(cas.isDown()).isFalse();
  }

  @Test
  void isNotValidOnlyIfNoneIs() {
    a.ca.refuse(Reason.CA_NOT_VALID);
    b.ca.refuse(Reason.CA_NOT_VALID);
    assertThat(cas.isValid()).isTrue();
    c.ca.refuse(Reason.CA_NOT_VALID);
    assertThat(cas.isValid()).isFalse();
    assertThat(cas.isDown()).as("told apart").isFalse();
    assertRefused("a", REQUEST, Reason.CA_NOT_VALID);
  }

  /** A key that has not proven itself is nobody's, and no fault of a CA. */
  @Test
  void whatTheOwnOneRefusesForTheKeyNoOtherIsAskedFor() {
    CertificationRequest stolen =
        new CertificationRequest(
            SubjectKeyPair.ec("secp256r1").encoded(), SUBJECT, KEY.prove(), "standard", null);
    assertRefused("a", stolen, Reason.POSSESSION_NOT_PROVEN);
    assertThat(b.ca.calls()).isZero();

    a.ca.refuse(Reason.CA_UNAVAILABLE);
    assertRefused("a", stolen, Reason.POSSESSION_NOT_PROVEN);
  }

  @Test
  void theOnlyOneIsAskedHoweverItIs() {
    IssuingCas only = new IssuingCas(List.of(a.watch()));
    a.fails.set(true);
    assertThat(chainOf(only.certify("a", REQUEST))).isEqualTo(a.chain());
  }

  @Test
  void oneJoinsWithADeviceThatWasNotThereAtFirst() {
    IssuingCas growing = new IssuingCas(List.of(a.watch()));
    assertThat(chainOf(growing.certify("b", REQUEST))).isEqualTo(a.chain());
    growing.start();
    try (growing) {
      growing.add(b.watch());
      assertThat(chainOf(growing.certify("b", REQUEST))).isEqualTo(b.chain());
      assertThat(chainOf(growing.certify("a", REQUEST))).isEqualTo(a.chain());
      assertThat(threads()).isEqualTo(1);

      growing.add(new CaWatch("b", c.ca, () -> false, new ManualTime()));
      assertThat(growing.all()).hasSize(2);
      assertThat(chainOf(growing.certify("b", REQUEST))).isEqualTo(c.chain());
      await().atMost(Duration.ofSeconds(20)).until(() -> threads() == 1);
    }
    assertThat(threads()).isZero();
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void anotherNameIsWarnedOf(CapturedOutput output) {
    assertThat(output).doesNotContain("should have one name");
    cas.add(new CaWatch("d", new Renamed(a.ca), () -> false, new ManualTime()));
    assertThat(output)
        .containsOnlyOnce("should have one name")
        .contains("the CA in a is CN=Test Issuing", "that in d is CN=Test Root");
  }

  /** Whatever fails and comes back, in whichever order. */
  @Test
  void noRequestLacksACaWhileOneWorks() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      for (int step = 0; step < 200; step++) {
        change(parts.get(random.nextInt(parts.size())), random);
        cas.all().forEach(CaWatch::look);
        String device = parts.get(random.nextInt(parts.size())).name;
        boolean oneWorks = parts.stream().anyMatch(IssuingCasTest::works);

        assertThat(cas.certify(device, REQUEST))
            .as("seed %d, step %d, key in %s", seed, step, device)
            .isInstanceOf(oneWorks ? Certified.class : Certification.class);
        assertThat(!oneWorks || (cas.isValid() && !cas.isDown()))
            .as("seed %d, step %d: the gate", seed, step)
            .isTrue();
      }
    }
  }

  private static void change(Part part, Random random) {
    switch (random.nextInt(5)) {
      case 0 -> part.ca.refuse(Reason.CA_UNAVAILABLE);
      case 1 -> part.ca.refuse(Reason.CA_NOT_VALID);
      case 2 -> part.fails.set(true);
      default -> {
        part.ca.recover();
        part.fails.set(false);
      }
    }
  }

  private static boolean works(Part part) {
    return !part.fails.get() && part.ca.prove().isEmpty();
  }

  @Test
  void tellsEachCertificateOnceIssuingCasFirstAndRootsLast() {
    assertThat(new IssuingCas(List.of(a.watch())).certificates()).isEqualTo(a.ca.chain());
    assertThat(cas.certificates())
        .containsExactly(
            a.ca.chain().getFirst(),
            b.ca.chain().getFirst(),
            c.ca.chain().getFirst(),
            a.ca.chain().getLast(),
            b.ca.chain().getLast(),
            c.ca.chain().getLast());
    IssuingCas twice =
        new IssuingCas(List.of(a.watch(), new CaWatch("d", a.ca, () -> false, new ManualTime())));
    assertThat(twice.certificates()).isEqualTo(a.ca.chain());
  }

  @Test
  void itsThreadsHaveEachProveItself() {
    try (cas) {
      parts.forEach(this::bringDown);
      assertThat(cas.isDown()).isTrue();
      cas.start();
      assertThat(threads()).isEqualTo(3);
      parts.forEach(part -> part.ca.recover());

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> cas.all().stream().noneMatch(CaWatch::isDown));
    }
    assertThat(threads()).isZero();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("keywell-ca-watch-[abc]"))
        .count();
  }
}

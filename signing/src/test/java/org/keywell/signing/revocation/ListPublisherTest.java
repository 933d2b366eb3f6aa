package org.keywell.signing.revocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.keypool.log.LogPace;
import org.keywell.settings.CaProperties;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.testkit.ManualTime;

@Tag("postgresql")
@Timeout(60)
final class ListPublisherTest {

  private static final URI BASE = URI.create("http://crl.example.org/");
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Duration VALIDITY = Duration.ofHours(24);
  private static final Duration DAY = Duration.ofDays(1);
  private static final RecordsDatabase database = new RecordsDatabase();

  private final ManualTime time = new ManualTime();
  private final byte[] issuer = identifier();
  private final byte[] root = identifier();
  private final List<RevocationList> signed = new ArrayList<>();
  private final ListTable table = new ListTable(database.dataSource());
  private @Nullable String fault;

  @AfterAll
  static void close() {
    database.close();
  }

  /** Tests share the tables. */
  private static byte[] identifier() {
    byte[] identifier = new byte[20];
    ThreadLocalRandom.current().nextBytes(identifier);
    return identifier;
  }

  private boolean clockIsInDoubt;

  private ListPublisher publisher(URI base, Duration longestLife) {
    return new ListPublisher(
        table,
        new CaProperties.Crl(base, VALIDITY, Duration.ofSeconds(10), null, LOOPBACK, 100),
        longestLife,
        () -> List.of(signer(issuer)),
        () -> List.of(signer(root)),
        time,
        () -> clockIsInDoubt,
        new LogPace(time));
  }

  private ListSigner signer(byte[] identifier) {
    return new ListSigner(identifier, time.instant().plus(Duration.ofDays(3650)), true, this::sign);
  }

  private ListAnswer sign(RevocationList list) {
    if (fault != null) {
      return new ListAnswer.NotSigned(fault);
    }
    signed.add(list);
    return new ListAnswer.Signed(list.shard().path().getBytes(StandardCharsets.UTF_8));
  }

  private List<String> names() {
    return signed.stream().map(list -> list.shard().name()).sorted().toList();
  }

  private PublishedList published(CrlShard shard) {
    return table.find(shard).orElseThrow();
  }

  /** Of a list made now; their times are in whole seconds. */
  private long number() {
    return time.instant().truncatedTo(ChronoUnit.SECONDS).toEpochMilli();
  }

  private void revoke(CrlShard shard, long serial) {
    var _ =
        new RevocationTable(database.dataSource(), LogWriter.off())
            .add(
                shard,
                new Revocation(
                    BigInteger.valueOf(serial),
                    time.instant().truncatedTo(ChronoUnit.SECONDS),
                    RevocationReason.SUPERSEDED),
                "operator",
                LogEntry.of("revocation"));
  }

  @Test
  void listsAreThereBeforeTheirFirstCertificate() {
    ListPublisher publisher = publisher(BASE, DAY);

    assertThat(publisher.look()).isEqualTo(Duration.ofSeconds(10));

    assertThat(names()).containsExactly("2026-02-28", "2026-03-01", "authorities", "services");
    assertThat(signed)
        .allSatisfy(list -> {
          assertThat(list.addresses()).containsExactly(list.shard().within(BASE));
          assertThat(list.number()).isEqualTo(BigInteger.valueOf(number()));
          assertThat(list.thisUpdate()).isEqualTo(Instant.parse("2026-03-01T12:00:00Z"));
          assertThat(list.nextUpdate()).isEqualTo(list.thisUpdate().plus(VALIDITY));
          assertThat(list.revocations()).isEmpty();
        });
    assertThat(publisher.nextUpdate()).contains(Instant.parse("2026-03-02T12:00:00Z"));
    CrlShard today = CrlShard.ofSigners(issuer, time.instant());
    assertThat(published(today).crl()).asString().isEqualTo(today.path());

    time.advance(Duration.ofHours(11).plusMinutes(30));
    signed.clear();
    var _ = publisher.look();
    assertThat(names()).containsExactly("2026-02-28", "2026-03-01", "2026-03-02");
  }

  /** DSS takes no list from before a certificate's beginning. */
  @Test
  void listsThatGetCertificatesAreHardlyOlderThanThese() {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    signed.clear();

    time.advance(Duration.ofSeconds(29));
    var _ = publisher.look();
    assertThat(names()).isEmpty();

    time.advance(Duration.ofSeconds(1));
    var _ = publisher.look();
    assertThat(names()).containsExactly("2026-02-28", "2026-03-01");
  }

  @Test
  void signersHaveNoListsWhereNoProfileNamesThem() {
    var _ = publisher(BASE, Duration.ZERO).look();

    assertThat(names()).containsExactly("authorities", "services");
  }

  @Test
  void listsAreMadeAgainAfterHalfOfTheirTime() {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    signed.clear();

    time.advance(Duration.ofHours(12).minusSeconds(1));
    var _ = publisher.look();
    assertThat(names()).doesNotContain("authorities", "services");
    signed.clear();

    time.advance(Duration.ofSeconds(2));
    var _ = publisher.look();
    assertThat(names()).containsExactly("authorities", "services");
    assertThat(signed).allMatch(list -> list.number().longValueExact() == number());
  }

  @Test
  void aRevocationIsInTheNextList() {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    signed.clear();
    CrlShard today = CrlShard.ofSigners(issuer, time.instant());
    revoke(today, 7);
    revoke(today, 5);
    revoke(today, 7);

    var _ = publisher.look();
    var _ = publisher.look();

    assertThat(names()).containsExactly(today.name());
    assertThat(signed.getFirst().revocations())
        .extracting(Revocation::serial)
        .containsExactlyInAnyOrder(BigInteger.valueOf(5), BigInteger.valueOf(7));
    assertThat(published(today).number()).isEqualTo(number() + 1);
  }

  /** Its list was made after the backup, so that the restored database does not know it. */
  @Test
  void aRevocationThatWasPutBackIsInTheNextListUntilItsCertificateExpires() {
    ListPublisher publisher = publisher(BASE, DAY.multipliedBy(30));
    var _ = publisher.look();
    signed.clear();
    CrlShard past = CrlShard.ofSigners(issuer, time.instant().minus(DAY.multipliedBy(5)));
    revoke(past, 7);
    revoke(CrlShard.ofSigners(issuer, time.instant().minus(DAY.multipliedBy(33))), 8);

    var _ = publisher.look();
    var _ = publisher.look();

    assertThat(names()).containsExactly(past.name());
    assertThat(signed.getFirst().revocations())
        .extracting(Revocation::serial)
        .containsExactly(BigInteger.valueOf(7));
    assertThat(signed.getFirst().addresses()).containsExactly(past.within(BASE));
    time.advance(DAY.multipliedBy(27));
    var _ = publisher.look();
    assertThat(table.find(past)).isEmpty();
  }

  /** Certificates of the days between backup and restore name them. */
  @Test
  void listsOfDaysThatARestoredDatabaseLacksAreMade() {
    var _ = publisher(BASE, DAY.multipliedBy(3)).look();
    signed.clear();
    time.advance(DAY.multipliedBy(7));

    var _ = publisher(BASE, DAY.multipliedBy(3)).look();

    assertThat(names())
        .as("with certificates that are valid")
        .containsExactly(
            "2026-03-05", "2026-03-06", "2026-03-07", "2026-03-08", "authorities", "services");
  }

  /** Whoever has a list takes none with a lower number, or another with the same. */
  @Test
  void aDatabaseThatWasRestoredGivesNoNumberTwice() throws SQLException {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    CrlShard today = CrlShard.ofSigners(issuer, time.instant());
    PublishedList backup = published(today);
    time.advance(Duration.ofSeconds(1));
    revoke(today, 7);
    var _ = publisher.look();
    long given = published(today).number();
    assertThat(given).isGreaterThan(backup.number());

    String row = " WHERE issuer = '%s' AND name = '%s'".formatted(today.issuer(), today.name());
    int _ =
        database
            .sql()
            .update("UPDATE published_list SET revocations = 0, number = " + backup.number() + row);
    time.advance(Duration.ofSeconds(1));
    var _ = publisher.look();

    assertThat(published(today).number()).isGreaterThan(given);
  }

  @Test
  void aClockThatWasSetBackDoesNotSetNumbersBack() {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    CrlShard today = CrlShard.ofSigners(issuer, time.instant());
    long given = published(today).number();
    time.setBack(Duration.ofSeconds(1));
    revoke(today, 7);

    var _ = publisher.look();

    assertThat(published(today).number()).isEqualTo(given + 1);
  }

  @Test
  void aListThatCannotBeSignedStaysAsItWas() {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    CrlShard today = CrlShard.ofSigners(issuer, time.instant());
    revoke(today, 7);
    fault = "the HSM is away";

    var _ = publisher.look();
    assertThat(publisher.unsigned()).isOne();
    assertThat(published(today).number()).isEqualTo(number());

    fault = null;
    var _ = publisher.look();
    assertThat(publisher.unsigned()).isZero();
    assertThat(published(today).number()).isEqualTo(number() + 1);
  }

  @Test
  void aKeyThatCertifiesNoMoreKeepsTheListsOfItsCertificates() {
    var _ = publisher(BASE, DAY).look();
    revoke(CrlShard.ofSigners(issuer, time.instant()), 7);
    ListPublisher after =
        new ListPublisher(
            table,
            new CaProperties.Crl(BASE, VALIDITY, Duration.ofSeconds(10), null, LOOPBACK, 100),
            DAY,
            () -> List.of(new ListSigner(issuer, signer(issuer).end(), false, this::sign)),
            List::of,
            time,
            () -> clockIsInDoubt,
            new LogPace(time));
    signed.clear();

    var _ = after.look();

    assertThat(names()).containsExactly("2026-03-01");
    time.advance(DAY);
    time.advance(DAY);
    signed.clear();
    var _ = after.look();
    assertThat(names())
        .as("no list of a new day")
        .contains("services")
        .doesNotContain("2026-03-03");
  }

  @Test
  void noListIsDatedByAClockInDoubt() {
    ListPublisher publisher = publisher(BASE, DAY);
    var _ = publisher.look();
    signed.clear();
    time.advance(DAY);
    clockIsInDoubt = true;

    var _ = publisher.look();

    assertThat(signed).isEmpty();
    clockIsInDoubt = false;
    var _ = publisher.look();
    assertThat(signed).isNotEmpty();
  }

  @Test
  void instancesDoNotMakeAListTwice() {
    ListPublisher other = publisher(BASE, DAY);
    ListPublisher publisher =
        new ListPublisher(
            table,
            new CaProperties.Crl(BASE, VALIDITY, Duration.ofSeconds(10), null, LOOPBACK, 100),
            DAY,
            () ->
                List.of(
                    new ListSigner(
                        issuer,
                        signer(issuer).end(),
                        true,
                        list -> {
                          // The other one looks while this one signs.
                          var _ = other.look();
                          return sign(list);
                        })),
            List::of,
            time,
            () -> clockIsInDoubt,
            new LogPace(time));

    var _ = publisher.look();

    assertThat(names()).doesNotHaveDuplicates().contains("services", "2026-03-01");
  }

  @Test
  void aListSaysAllOfItsAddresses() {
    URI moved = URI.create("https://moved.example.org/lists/");
    var _ = publisher(BASE, DAY).look();
    signed.clear();

    var _ = publisher(moved, DAY).look();
    var _ = publisher(moved, DAY).look();

    CrlShard services = CrlShard.ofServices(issuer);
    assertThat(signed)
        .filteredOn(list -> list.shard().equals(services))
        .singleElement()
        .satisfies(list ->
            assertThat(list.addresses())
                .containsExactly(services.within(BASE), services.within(moved)));
  }

  @Test
  void listsRetireWithTheLastOfTheirCertificates() {
    CrlShard today = CrlShard.ofSigners(issuer, time.instant());
    var _ = publisher(BASE, Duration.ofDays(3)).look();

    time.advance(Duration.ofDays(4).minusHours(12));
    var _ = publisher(BASE, DAY).look();
    assertThat(table.find(today)).isPresent();

    time.advance(Duration.ofHours(2));
    var _ = publisher(BASE, DAY).look();
    assertThat(table.find(today)).isEmpty();
    assertThat(table.find(CrlShard.ofServices(issuer))).isPresent();
  }
}

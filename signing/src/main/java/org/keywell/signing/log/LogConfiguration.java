package org.keywell.signing.log;

import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.ca.AuditKeys;
import org.keywell.signing.ca.CaPreparation;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.ca.ProfileFiles;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.TokenPreparation;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The log. */
@Configuration(proxyBeanMethods = false)
public class LogConfiguration {

  /** Far more than can be worked on at the same time. */
  private static final int MOST_WAITING = 1_000;

  @Bean
  LogWriter logWriter(KeywellProperties properties, LongSupplier nanoClock) {
    return properties.log().isKept() ? LogWriter.on(nanoClock) : LogWriter.off();
  }

  @Bean
  CosignedCheckpoints cosignedCheckpoints(
      @Qualifier(OwnedDatabaseConfiguration.READS) DataSource reads, KeywellProperties properties) {
    return new CosignedCheckpoints(new CosignedTables(reads), properties.log());
  }

  // The lifecycle starts and ends its threads.
  @Bean(destroyMethod = "")
  Witnesses witnesses(DataSource dataSource, KeywellProperties properties, LongSupplier nanoClock) {
    CosignedTables tables = new CosignedTables(dataSource);
    return new Witnesses(
        new LogTables(dataSource),
        tables,
        new CosignedCheckpoints(tables, properties.log()),
        properties.log(),
        nanoClock);
  }

  /**
   * @param cas has been created before, which makes missing keys
   */
  @Bean
  OwnWitness ownWitness(
      DataSource dataSource,
      KeywellProperties properties,
      Devices devices,
      DatabaseClock clock,
      IssuingCas cas) {
    OwnWitness witness =
        new OwnWitness(
            properties.log().witness(), new WitnessedTable(dataSource), clock::isInDoubt);
    devices.signing().forEach(witness::add);
    return witness;
  }

  @Bean
  LogCommitter logCommitter(DataSource dataSource, LogWriter writer) {
    return new LogCommitter(dataSource, writer, MOST_WAITING);
  }

  /** Needs neither database nor HSM: the callers' file is read before them. */
  @Bean
  LogNotes logNotes(LogWriter writer, KeywellProperties properties) {
    return new LogNotes(writer, properties.instance());
  }

  /**
   * @param cas has been created before, which leaves out unusable devices, and makes missing keys
   */
  @Bean
  SigningLog signingLog(
      DataSource dataSource,
      @Qualifier(OwnedDatabaseConfiguration.READS) DataSource reads,
      CosignedCheckpoints checkpoints,
      LogWriter writer,
      LogNotes notes,
      KeywellProperties properties,
      ProfileFiles profiles,
      TokenPreparation tokens,
      ObjectProvider<CaPreparation> ca,
      Devices devices,
      AuditKeys keys,
      IssuingCas cas,
      LongSupplier nanoClock,
      ObjectProvider<BuildProperties> build) {
    if (properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING) {
      notes.bootstrap(
          Stream.concat(tokens.made().stream(), ca.getObject().made().stream()).toList());
    }
    profiles.contents().forEach((name, content) -> notes.file("profiles", name, content));
    BuildProperties known = build.getIfAvailable();
    String version = known == null || known.getVersion() == null ? "unknown" : known.getVersion();
    SigningLog log =
        new SigningLog(
            new LogTables(dataSource),
            new LogTables(reads),
            checkpoints,
            writer,
            notes,
            properties,
            version,
            nanoClock);
    if (log.isKept()) {
      devices.signing().forEach(device -> log.add(device, keys.open(device)));
    }
    return log;
  }
}

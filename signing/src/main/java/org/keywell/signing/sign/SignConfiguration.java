package org.keywell.signing.sign;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.identity.ProofVerifiers;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.PoolProperties;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.database.QuotaTable;
import org.keywell.signing.fairness.DailyQuota;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.record.LateDestructions;
import org.keywell.signing.record.RecordListener;
import org.keywell.signing.record.RecordTransaction;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.SignRecords;
import org.keywell.signing.record.UsedProofs;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The path of a request, from admission to record. */
@Configuration(proxyBeanMethods = false)
public class SignConfiguration {

  @Bean
  SignRequestQueue signRequestQueue(
      KeywellProperties properties, KeyPools pools, LongSupplier nanoClock) {
    SignRequestQueue queue = new SignRequestQueue(properties.sign().queueLimit(), nanoClock);
    pools.onKeys(queue::keysChanged);
    return queue;
  }

  @Bean
  ServiceTime serviceTime(KeywellProperties properties) {
    return new ServiceTime(properties.sign().handlerThreads(), properties.pool().makerThreads());
  }

  /** Reports what happens to requests to all listeners. */
  @Bean
  @Primary
  SignListener signListeners(List<SignListener> listeners) {
    return listeners.stream().reduce(SignListener.NONE, SignListener::andThen);
  }

  @Bean
  KeySource keySource(KeyPools pools, KeywellProperties properties) {
    PoolProperties settings = properties.pool();
    return new KeySource(pools, settings.mode(), settings.whenEmpty());
  }

  @Bean
  SigningGate signingGate(KeyPools pools, IssuingCas cas, KeySource keys, DatabaseClock clock) {
    return new SigningGate(
        clock::isInDoubt, pools::failsToSign, cas::isDown, cas::isValid, keys::isFullFor);
  }

  @Bean(destroyMethod = "")
  Admission admission(
      SignRequestQueue queue,
      ServiceTime serviceTime,
      SigningGate gate,
      RecordWriter records,
      DailyQuota quota,
      SignListener listener,
      KeyPools pools) {
    return new Admission(
        queue,
        serviceTime,
        gate,
        records::isStuck,
        quota,
        listener,
        pools::requestBegan,
        pools::requestEnded);
  }

  // The lifecycle starts and ends the thread, in its own order.
  @Bean(destroyMethod = "")
  DailyQuota dailyQuota(DataSource dataSource, InstantSource clock) {
    return new DailyQuota(new QuotaTable(dataSource), clock);
  }

  @Bean
  SignRecords signRecords(@Qualifier(OwnedDatabaseConfiguration.READS) DataSource dataSource) {
    return new SignRecords(dataSource);
  }

  @Bean
  RecordWriter recordWriter(
      @Qualifier(OwnedDatabaseConfiguration.RECORDS) DataSource dataSource,
      KeywellProperties properties,
      JdbcWrappedKeyStore keys,
      LongSupplier nanoClock,
      RecordListener transactions,
      SignListener requests,
      LogWriter log) {
    String mode = properties.pool().mode().label();
    return new RecordWriter(
        new RecordTransaction(dataSource, keys, properties.instance(), mode, log),
        properties.database().recordQueueLimit(),
        properties.database().outcomePatience(),
        nanoClock,
        transactions,
        requests::closedUnrecorded);
  }

  // The lifecycle starts and ends the thread, in its own order.
  @Bean(destroyMethod = "")
  LateDestructions lateDestructions(DataSource dataSource, InstantSource clock) {
    return new LateDestructions(dataSource, clock);
  }

  // As above.
  @Bean(destroyMethod = "")
  UsedProofs usedProofs(DataSource dataSource) {
    return new UsedProofs(dataSource);
  }

  @Bean
  SigningCycle signingCycle(
      KeyPools pools,
      IssuingCas cas,
      SigningGate gate,
      LateDestructions lateDestructions,
      KeySource keys) {
    return new SigningCycle(keys, pools, cas, gate, lateDestructions::add);
  }

  @Bean
  HandlerThreads handlerThreads(
      SignRequestQueue queue,
      SigningCycle cycle,
      RecordWriter records,
      ServiceTime serviceTime,
      KeywellProperties properties) {
    Function<SignHandler.Takes, SignHandler> handler =
        takes -> new SignHandler(takes, queue, cycle, records, serviceTime);
    return new HandlerThreads(
        Stream.generate(() -> handler.apply(SignHandler.Takes.WITH_KEY))
            .limit(properties.sign().handlerThreads())
            .toList(),
        Stream.generate(() -> handler.apply(SignHandler.Takes.WITHOUT_KEY))
            .limit(properties.pool().makerThreads())
            .toList(),
        queue);
  }

  @Bean
  StandIn standIn(
      HandlerThreads threads, SignRequestQueue queue, RecordWriter records, KeyKeeper keeper) {
    return new StandIn(threads, queue, records, keeper);
  }

  @Bean(destroyMethod = "")
  HangWatch hangWatch(
      KeyPools pools, StandIn standIn, KeywellProperties properties, LongSupplier nanoClock) {
    HsmProperties hsm = properties.hsm();
    return new HangWatch(
        () ->
            pools.devices().stream()
                .filter(device -> device.role().signs())
                .map(Device::health)
                .toList(),
        standIn,
        hsm.callLimit(),
        hsm.hangLimit(),
        nanoClock);
  }

  @Bean
  CallerReads callerReads(KeywellProperties properties) {
    return new CallerReads(properties.database().readsAtOnce());
  }

  @Bean
  SignService signService(
      Admission admission,
      RecordWriter writer,
      SignRecords records,
      CallerReads reads,
      SignListener listener,
      KeywellProperties properties,
      SigningLog log) {
    return new SignService(
        admission, writer, records, reads, listener, properties.answerGrace(), log::index);
  }

  @Bean
  RequestIntake requestIntake(
      KeywellProperties properties,
      KeyPools pools,
      CertificateProfiles profiles,
      ProofVerifiers proofs,
      InstantSource clock) {
    return new RequestIntake(
        properties.sign(),
        pools::serves,
        new ProfileChoice(profiles, properties.sign().acceptLookAlikeNames()),
        new SignerIdentities(proofs, clock));
  }
}

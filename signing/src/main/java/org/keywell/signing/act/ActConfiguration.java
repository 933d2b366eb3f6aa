package org.keywell.signing.act;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.keywell.keypool.KeyPools;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.SignListener;
import org.keywell.signing.sign.SignService;
import org.keywell.signing.sign.SigningCycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Acts of signing in two calls. */
@Configuration(proxyBeanMethods = false)
public class ActConfiguration {

  // The lifecycle starts and ends the thread, in its own order.
  @Bean(destroyMethod = "")
  OpenActs openActs(
      KeywellProperties properties,
      RecordWriter records,
      SigningCycle cycle,
      KeyPools pools,
      SignListener listener,
      InstantSource clock,
      LongSupplier nanoClock) {
    return new OpenActs(
        properties.acts().maxOpen(), records, cycle, pools, listener, clock, nanoClock);
  }

  @Bean
  ActService actService(
      SignService service,
      OpenActs acts,
      Admission admission,
      RecordWriter writer,
      KeywellProperties properties) {
    return new ActService(service, acts, admission, writer, properties.instance());
  }
}

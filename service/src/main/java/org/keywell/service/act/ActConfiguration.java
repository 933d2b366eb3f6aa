package org.keywell.service.act;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.keywell.keypool.KeyPools;
import org.keywell.service.record.LateDestructions;
import org.keywell.service.record.RecordWriter;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.sign.Admission;
import org.keywell.service.sign.SignListener;
import org.keywell.service.sign.SignService;
import org.keywell.service.sign.SigningCycle;
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
      LateDestructions lateDestructions,
      InstantSource clock,
      LongSupplier nanoClock) {
    return new OpenActs(
        properties.acts().maxOpen(),
        records,
        cycle,
        pools,
        listener,
        lateDestructions::add,
        clock,
        nanoClock);
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

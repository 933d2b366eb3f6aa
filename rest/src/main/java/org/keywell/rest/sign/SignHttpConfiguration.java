package org.keywell.rest.sign;

import java.util.function.LongSupplier;
import org.keywell.json.SignRequestParser;
import org.keywell.rest.problem.ProblemListener;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.function.SingletonSupplier;

/** Signing in one call, over HTTP. */
@Configuration(proxyBeanMethods = false)
@Import(SignController.class)
public class SignHttpConfiguration {

  /** Of all ways in together. */
  @Bean
  CallerRates callerRates(LongSupplier nanoClock) {
    return new CallerRates(nanoClock);
  }

  @Bean
  CallerDoor callerDoor(
      EndpointRoles endpoints,
      CallerRates rates,
      ObjectProvider<Admission> admission,
      ObjectProvider<SignListener> listener,
      ProblemWriter problems) {
    return new CallerDoor(
        endpoints,
        rates,
        SingletonSupplier.of(admission::getObject),
        SingletonSupplier.of(listener::getObject),
        problems);
  }

  @Bean
  SignDoor signDoor(EndpointRoles endpoints, Admission admission, ProblemListener problems) {
    return new SignDoor(endpoints.pathsThatTakePlaces(), admission, problems);
  }

  @Bean
  SignRequestParser signRequestParser(RequestIntake intake) {
    return new SignRequestParser(intake);
  }
}

package org.keywell.service.hsm.enrol;

import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.service.hsm.HsmCredentials;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the commands need that carry a wrapping key from token to token. */
@Configuration(proxyBeanMethods = false)
public class EnrolmentConfiguration {

  @Bean
  Enrolment enrolment(Pkcs11Config config, HsmCredentials credentials) {
    return new Enrolment(config, credentials);
  }
}

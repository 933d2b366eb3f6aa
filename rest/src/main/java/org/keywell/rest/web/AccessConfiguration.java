package org.keywell.rest.web;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateProfiles;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.rest.security.LocalToken;
import org.keywell.rest.security.PortSecurity;
import org.keywell.rest.trial.TrialFiles;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.caller.Role;
import org.keywell.signing.log.LogNotes;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;

/** Access control for both ports, and the filter of the service's own port. */
@Configuration(proxyBeanMethods = false)
public class AccessConfiguration {

  @Bean
  EndpointRoles endpointRoles(KeywellProperties properties) {
    EndpointRoles endpoints = EndpointRoles.ofTheService();
    if (properties.trialFiles() != null) {
      endpoints = endpoints.with("GET", TrialFiles.PATH, Role.READ);
    }
    if (properties.ca().crl().base().isPresent()) {
      endpoints = endpoints.withPublicLists();
    }
    if (properties.ca().ocsp().base().isPresent()) {
      endpoints = endpoints.withPublicOcsp();
    }
    return properties.log().isPublic() ? endpoints.withPublicLog() : endpoints;
  }

  @Bean(initMethod = "start")
  CallerRegister callerRegister(
      KeywellProperties properties,
      Environment environment,
      CertificateProfiles profiles,
      LogNotes notes) {
    @Nullable Path file = properties.security().callersFile();
    if (file == null) {
      requireNoCertificates(environment);
    }
    return new CallerRegister(file, profile -> profiles.find(profile).isPresent(), notes);
  }

  /** Refuses ports that request certificates although none would identify a caller. */
  private static void requireNoCertificates(Environment environment) {
    List<String> servers =
        ManagementPortType.get(environment) == ManagementPortType.DIFFERENT
            ? List.of("server", "management.server")
            : List.of("server");
    for (String server : servers) {
      if (EdgeConfiguration.asksForCertificates(server, environment)) {
        throw new StartRefusedException(
            server
                + ".ssl.client-auth asks callers for a certificate, and nobody is named as a"
                + " caller: set keywell.security.callers-file (docs/CONFIGURATION.md, Callers)");
      }
    }
  }

  @Bean
  PortSecurity portSecurity(
      EndpointRoles endpoints,
      CallerRegister register,
      KeywellProperties properties,
      ProblemWriter problems) {
    @Nullable Path file = properties.security().localTokenFile();
    return new PortSecurity(
        endpoints,
        register,
        file == null ? null : LocalToken.in(file),
        properties.log().witness().isOne(),
        problems);
  }

  @Bean
  FilterRegistrationBean<FilterChainProxy> securityFilter(
      PortSecurity security, Environment environment) {
    return EdgeConfiguration.registered(
        security.ofService(EdgeConfiguration.asksForCertificates("server", environment)));
  }
}

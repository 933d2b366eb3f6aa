package org.keywell.spring;

import java.net.URI;
import org.keywell.client.KeywellClient;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.TimestampAuthority;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Creates the signer of whole documents if {@code keywell-dss} is on the class path. */
@AutoConfiguration(after = KeywellClientAutoConfiguration.class)
@ConditionalOnClass(KeywellDocumentSigner.class)
@ConditionalOnSingleCandidate(KeywellClient.class)
public final class KeywellDocumentsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  KeywellDocumentSigner keywellDocumentSigner(
      KeywellClient client, KeywellClientProperties properties) {
    URI authority = properties.timestamp().uri();
    return authority == null
        ? new KeywellDocumentSigner(client)
        : new KeywellDocumentSigner(
            client, new TimestampAuthority(authority, properties.timestamp().timeout()));
  }
}

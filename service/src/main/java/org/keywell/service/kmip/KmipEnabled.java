package org.keywell.service.kmip;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the service listens for KMIP clients, as {@code KmipProperties} reads the setting. */
final class KmipEnabled implements Condition {

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return Binder.get(context.getEnvironment())
        .bind("keywell.kmip.enabled", Boolean.class)
        .orElse(false);
  }
}

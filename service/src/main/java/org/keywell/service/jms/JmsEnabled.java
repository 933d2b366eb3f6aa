package org.keywell.service.jms;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the service takes requests from a broker, as {@code JmsProperties} reads the setting. */
final class JmsEnabled implements Condition {

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return Binder.get(context.getEnvironment())
        .bind("keywell.jms.enabled", Boolean.class)
        .orElse(false);
  }
}

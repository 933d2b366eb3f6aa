package org.keywell.service.xks;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the service is an external key store, as {@code XksProperties} reads the setting. */
final class XksEnabled implements Condition {

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return Binder.get(context.getEnvironment())
        .bind("keywell.xks.enabled", Boolean.class)
        .orElse(false);
  }
}

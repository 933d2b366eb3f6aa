package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code keywell.identity.*}.
 *
 * @param providersFile the issuers of tickets that prove who signs; null: no ticket is accepted
 * @param maxTicket the largest ticket, as it appears in a request, 1 KB to 512 KB
 * @param maxChecks tickets that may be checked at the same time, 1 to 1,000
 */
public record IdentityProperties(
    @Nullable Path providersFile,
    @DefaultValue("24KB") DataSize maxTicket,
    @DefaultValue("32") int maxChecks) {

  public IdentityProperties {
    require(
        maxTicket.toBytes() >= 1024 && maxTicket.toBytes() <= 512 * 1024,
        "keywell.identity.max-ticket",
        maxTicket,
        "1KB-512KB");
    require("keywell.identity.max-checks", maxChecks, 1, 1000);
  }
}

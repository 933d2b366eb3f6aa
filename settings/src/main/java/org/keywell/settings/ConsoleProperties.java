package org.keywell.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.console.*}.
 *
 * @param enabled whether there is a console
 */
public record ConsoleProperties(@DefaultValue("true") boolean enabled) {}

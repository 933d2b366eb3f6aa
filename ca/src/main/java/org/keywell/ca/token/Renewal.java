package org.keywell.ca.token;

import java.security.cert.X509Certificate;

/** A key that follows another, with its label in the token; {@code created} just now or before. */
public record Renewal(boolean created, String label, X509Certificate certificate) {}

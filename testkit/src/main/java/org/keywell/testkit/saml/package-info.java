/** A SAML identity provider: its metadata, its tickets, and those of attackers. */
@NullUnmarked
package org.keywell.testkit.saml;

import org.jspecify.annotations.NullUnmarked;

/** Tickets that are SAML 2.0 assertions: the only part that speaks XML. */
@NullMarked
package org.keywell.service.identity.saml;

import org.jspecify.annotations.NullMarked;

/** Tickets that are SAML 2.0 assertions: the only package that uses XML. */
@NullMarked
package org.keywell.identity.saml;

import org.jspecify.annotations.NullMarked;

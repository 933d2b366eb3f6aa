/** Tickets that are JSON Web Tokens: the only package that uses JOSE. */
@NullMarked
package org.keywell.identity.jwt;

import org.jspecify.annotations.NullMarked;

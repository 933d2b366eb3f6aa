/** Tickets that are JSON Web Tokens: the only part that speaks JOSE. */
@NullMarked
package org.keywell.service.identity.jwt;

import org.jspecify.annotations.NullMarked;

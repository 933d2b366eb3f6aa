/** An identity provider that issues JSON Web Tokens. */
@NullMarked
package org.keywell.testkit.jwt;

import org.jspecify.annotations.NullMarked;

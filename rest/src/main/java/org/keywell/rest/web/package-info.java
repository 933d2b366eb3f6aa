/** The edge: what every request passes, at both ports. */
@NullMarked
package org.keywell.rest.web;

import org.jspecify.annotations.NullMarked;

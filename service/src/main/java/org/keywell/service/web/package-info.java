/** The edge: what every request meets, at both ports. */
@NullMarked
package org.keywell.service.web;

import org.jspecify.annotations.NullMarked;

/**
 * What must hold whatever fails: instances are killed again and again, devices lose what they held,
 * hang, or fail a little all the time.
 */
@NullMarked
package org.keywell.acceptance.chaos;

import org.jspecify.annotations.NullMarked;

/** Texts of figures for people: knows of numbers and words only, not of what they mean. */
@NullMarked
package org.keywell.loadgen.text;

import org.jspecify.annotations.NullMarked;

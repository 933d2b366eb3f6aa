/** Texts of figures for people: deals only with numbers and words, not with what they mean. */
@NullMarked
package org.keywell.loadgen.text;

import org.jspecify.annotations.NullMarked;

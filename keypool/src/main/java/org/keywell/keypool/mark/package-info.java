/**
 * The mark that each token keeps of how far stored keys may have been claimed, so that a restored
 * database brings no used key back.
 */
@NullMarked
package org.keywell.keypool.mark;

import org.jspecify.annotations.NullMarked;

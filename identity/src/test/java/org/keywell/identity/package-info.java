@org.jspecify.annotations.NullMarked
package org.keywell.identity;

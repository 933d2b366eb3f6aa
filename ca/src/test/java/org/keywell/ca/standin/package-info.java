/** A stand-in for the service, for tests of its clients. */
@org.jspecify.annotations.NullMarked
package org.keywell.ca.standin;

/**
 * Real parts for tests: SoftHSM, NSS, PostgreSQL, a browser, and a module in front of SoftHSM that
 * fails on command; and stand-ins for who is at the other end of a connection. Depends on none of
 * the modules whose tests use it, so that all of them can.
 */
@NullMarked
package org.keywell.testkit;

import org.jspecify.annotations.NullMarked;

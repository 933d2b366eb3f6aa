/** What a superuser of the database can do to the log, and who finds it. */
@NullMarked
package org.keywell.acceptance.tamper;

import org.jspecify.annotations.NullMarked;

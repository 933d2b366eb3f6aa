@org.jspecify.annotations.NullUnmarked
package org.keywell.service.identity.saml;

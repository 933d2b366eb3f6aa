package org.keywell.dss;

import eu.europa.esig.dss.cms.CMS;
import eu.europa.esig.dss.cms.object.CMSObjectUtils;
import eu.europa.esig.dss.model.InMemoryDocument;

/**
 * Reads CMS that zeros follow, as in each PDF, whose place for a signature is larger than what it
 * holds (ISO 32000-1, table 252).
 *
 * <p>DSS 6.4 hands all of the place to Bouncy Castle as an array, which that has refused since
 * 1.85, on purpose; from a stream it reads one object and no further. DSS is told of this class by
 * {@link CmsService}; it is public because services are.
 */
public final class PaddedCms extends CMSObjectUtils {

  @Override
  public CMS parseToCMS(byte[] padded) {
    return parseToCMS(new InMemoryDocument(padded));
  }
}

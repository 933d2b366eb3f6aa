package org.keywell.dss;

import eu.europa.esig.dss.cms.CMSUtils;
import eu.europa.esig.dss.cms.ICMSUtils;
import eu.europa.esig.dss.model.DSSException;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Has DSS read CMS by {@link PaddedCms}.
 *
 * <p>DSS takes the first service that it finds, once per process, by the class loader of whichever
 * thread asks first. That thread is made to be one of ours, with a class loader that knows of our
 * service alone, so that the order of the class path does not matter: Spring Boot's executable jars
 * have their libraries in alphabetical order, DSS's own service before ours.
 */
final class CmsService {
  private static final String SERVICE = "META-INF/services/" + ICMSUtils.class.getName();

  /** SignedData without a signer, and a zero. */
  private static final byte[] PADDED =
      HexFormat.of()
          .parseHex("302306092a864886f70d010702a01630140201013100300b06092a864886f70d010701310000");

  private CmsService() {}

  /**
   * Comes before all else that DSS is asked for; may be called again.
   *
   * @throws IllegalStateException if DSS has found another service before, which cannot read a PDF
   *     that is signed
   */
  static void choose() {
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(new OurServiceOnly(CmsService.class.getClassLoader()));
    try {
      CMSUtils.parseToCMS(PADDED);
    } catch (DSSException e) {
      throw new IllegalStateException(
          "EU DSS was used before Keywell's document signer and verification were made, and has"
              + " chosen a reader of CMS that refuses signed PDFs: make them first",
          e);
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  private static final class OurServiceOnly extends ClassLoader {

    OurServiceOnly(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(SERVICE)
          ? Collections.enumeration(
              List.of(Objects.requireNonNull(CmsService.class.getResource("cms-service"))))
          : super.getResources(name);
    }
  }
}

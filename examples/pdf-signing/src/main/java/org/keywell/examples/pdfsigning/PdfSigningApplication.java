package org.keywell.examples.pdfsigning;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the example; {@code application.yml} says where the Keywell service is. */
@SpringBootApplication(proxyBeanMethods = false)
public class PdfSigningApplication {

  public static void main(String[] args) {
    SpringApplication.run(PdfSigningApplication.class, args);
  }
}

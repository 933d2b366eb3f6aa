package org.keywell.xks.auth;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code Authorization}.
 *
 * @param date of the scope, as {@code YYYYMMDD}
 * @param headers the signed ones, in lower case and in order
 * @param signature in hexadecimal
 */
record Authorization(
    String accessKeyId, String date, String region, List<String> headers, String signature) {

  private static final Pattern FORM =
      Pattern.compile(
          "AWS4-HMAC-SHA256 +Credential=([A-Z0-9]{1,128})/([0-9]{8})/([a-z0-9-]{1,64})"
              + "/kms-xks-proxy/aws4_request *, *SignedHeaders=([a-z0-9;-]{1,1024})"
              + " *, *Signature=([0-9a-f]{64})");

  static Authorization parse(String header) {
    Matcher parts = FORM.matcher(header);
    if (!parts.matches()) {
      throw SignatureCheck.refused(
          "the header Authorization is not a signature by AWS4-HMAC-SHA256 for kms-xks-proxy");
    }
    List<String> headers = List.of(parts.group(4).split(";", -1));
    if (!headers.equals(List.copyOf(new TreeSet<>(headers)))) {
      throw SignatureCheck.refused("the signed headers are not in order, or one is named twice");
    }
    return new Authorization(
        parts.group(1), parts.group(2), parts.group(3), headers, parts.group(5));
  }

  String scope() {
    return date + "/" + region + "/kms-xks-proxy/aws4_request";
  }
}

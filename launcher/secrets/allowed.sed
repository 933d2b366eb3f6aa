# What is taken out before the patterns are searched, each with its reason.
# Names of tests and their parameters: their authors wrote them, not the service.
s/<testcase name="[^"]*"//g
# The hint at each start: a sample of a request, not a person.
s/Try: curl -sS .*//
# Certificates are public: a SEQUENCE in a SEQUENCE. A private key (PKCS #8) starts otherwise.
s#MII[A-Za-z0-9+/]{3}CC[A-Za-z0-9+/=]*##g
# Java's own properties: paths.
s/<property name="(java|jdk|sun|surefire)[^>]*>//g

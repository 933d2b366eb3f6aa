// A judge that shares no code with Keywell, for ./keywell test --lint: Go's own sumdb packages.
module org.keywell/tlog-judge

go 1.26.0

require golang.org/x/mod v0.42.0

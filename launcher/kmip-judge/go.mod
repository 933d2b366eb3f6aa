// A judge that shares no code with Keywell, for ./keywell test --lint: OVH's KMIP client, whose
// module also has the OASIS test cases.
module org.keywell/kmip-judge

go 1.26.0

require github.com/ovh/kmip-go v0.8.1

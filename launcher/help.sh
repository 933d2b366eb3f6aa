# shellcheck shell=bash
# What ./keywell help and ./keywell COMMAND --help say.

# show_help [COMMAND [ARGUMENTS...]]
show_help() {
  case ${1:-} in
    '') help_overview ;;
    demo) help_demo ;;
    up) help_up ;;
    fill) help_fill ;;
    sign) help_sign ;;
    status) help_status ;;
    bench) help_bench ;;
    tables) help_tables ;;
    load) explain_load "${2:-}" ;;
    test) help_test ;;
    check) help_check ;;
    certs) help_certs ;;
    bootstrap) help_bootstrap ;;
    hsm) help_hsm ;;
    ca-request | ca-import) help_ca ;;
    help) help_overview ;;
    *) misuse "unknown command '$1'; './keywell help' lists them" ;;
  esac
}

help_overview() {
  cat <<'END'
Keywell signs every request with a fresh HSM key that was made ahead of time.

Usage: ./keywell COMMAND [ARGUMENTS]

  demo [FILE]        from a fresh machine to a verified signature, in one command
  up [OPTIONS]       run the service until Ctrl-C
  sign FILE          have a running service sign a file: --pades a PDF, --xades XML, --cades any file;
                     without these, the raw signature FILE.sig and FILE.chain.pem
  status             how many keys a running service has
  fill N             make keys until N are stored, as fast as this machine can
  load COMMAND       experiments: drive a service at rates that climb and fall, compare it with
                     one without a pool, plan how many HSMs it takes
  bench              how near this machine's limit the service comes, part by part
  tables             the thesis's tables, measured with the pool's own parts
  check              whether each key that was ever made is accounted for
  certs [DIR]        certificates to try TLS with client certificates; for development
  bootstrap          make what the HSM token needs, if it is missing
  hsm COMMAND        one wrapping key in several HSMs: transport, enrol, accept
  ca-request FILE    write a certificate request for the issuing CA
  ca-import FILE     import the certificate chain that an outer CA made for it
  test               run every test
  help [COMMAND]     this, or more about a command; help load COMMAND: about one of load's

Every command sets up what it needs: it finds a JDK 25, gets SoftHSM from the system's packages
and builds. None asks a question. Exit codes: 0 done, 1 failed, 2 misused.

Environment, in short:
  KEYWELL_HOME                   the data directory (default: .keywell beside this launcher)
  SERVER_PORT                    the service's port (8420)
  KEYWELL_HSM_MODULE             another PKCS#11 module than SoftHSM, with
    KEYWELL_HSM_TOKENLABEL         its token's label (keywell), and
    KEYWELL_HSM_PINFILE            a file with its PIN, or KEYWELL_HSM_PIN
    KEYWELL_HSM_BOOTSTRAP          never (default there) or if-missing
  KEYWELL_HSM_PROFILE            a device whose times to imitate, for experiments (up --profile)
  KEYWELL_DATABASE_URL           another PostgreSQL than the embedded one (jdbc:postgresql://...), with
    KEYWELL_DATABASE_USERNAME, KEYWELL_DATABASE_PASSWORDFILE
  KEYWELL_JAVA_OPTS              options for the service's Java, split at spaces
  KEYWELL_AOT                    off: no training run after a build, for a faster start (auto)
  JAVA_HOME                      a JDK 25 in an unusual place
END
}

help_demo() {
  cat <<'END'
Usage: ./keywell demo [FILE]

Sets up what is missing, starts the service with an embedded PostgreSQL and SoftHSM, waits until
the first keys are made, signs FILE (default: Keywell's own LICENSE) through POST /sign, verifies
the signature and its certificate chain with openssl, shows where the time went and how deep the
pool was before and after. Then it signs a small PDF, which EU DSS and pdfsig verify, and stops the
service. A signature that is not shown precedes each whose times are.

The first run takes minutes (it builds); the next ones start from the keys that were kept.
Everything is in KEYWELL_HOME: results in demo/, the service's log in logs/demo.log. Deleting that
directory forgets all of it.

It succeeds only if openssl accepts both the signature and the chain, and EU DSS and pdfsig the PDF.
END
}

help_up() {
  cat <<'END'
Usage: ./keywell up [--port P] [--profile NAME|FILE]

Runs the service in the foreground, at http://127.0.0.1:8420 or the port given, and tells when it
is ready, with a line to paste that signs something. Ctrl-C (or SIGTERM) ends it in order: requests
at hand are finished, and loaded keys that nobody used go back to the stored ones. That takes 30
seconds at the most (keywell.stop-limit); a second Ctrl-C ends it at once.

Exit codes: 143 (130 after Ctrl-C) stopped in order, 1 failed, 2 misused or misconfigured, 3 out of
memory, 4 PostgreSQL or the HSM is not there, 75 a call to the HSM hung or the embedded
PostgreSQL ended: start it again.

While nobody signs, it makes keys and stores them, wrapped by a key that never leaves the HSM.
One service at a time can use a data directory.

Its PostgreSQL is embedded unless KEYWELL_DATABASE_URL names another. The embedded one is for trying
out, development and tests; for production use your own (docs/operations/database-and-backup.md).

--profile is for experiments: the HSM then takes the times of another device, and never less than
its own. NAME is luna-sa-1700 (signing 20 ms, close to the device) or luna-sa-1700-remote (38 ms);
FILE describes a device of yours, as in docs/EXPERIMENTS.md. It is the same as KEYWELL_HSM_PROFILE.
Fill the pool first: ./keywell fill N works at full speed as long as that variable is not set.
END
}

help_fill() {
  cat <<'END'
Usage: ./keywell fill N [--key-spec SPEC]

Makes keys until N of the kind are stored, as fast as this machine allows, and shows the progress
and the time left. SPEC is RSA-2048 (default), RSA-3072, RSA-4096, EC-P256 or EC-P384. Works
beside running services and without one; stopping it early keeps what is made so far. It waits for
nobody: signatures with the same HSM take longer meanwhile.

With SoftHSM, two shared x86-64 cores that had nothing else to do made 17 RSA-2048 keys per second.
END
}

help_check() {
  cat <<'END'
Usage: ./keywell check

Tells whether each key that was ever made is accounted for. For each kind, generated keys must be
stored, claimed by a service, used, forfeited after a crash, or discarded. What services have loaded,
and how many keys are live in their HSMs, they report when no request is at hand; check compares that
as well. Used keys must be on record, no key may be in two places, and the tokens may hold no private key
that nobody is known to have made. It looks again for half a minute before it believes in a difference.

It cannot see what was changed to agree in all tables: who owns the database owns its history. Nor can it
see session keys of other processes in the HSM.

Works beside running services and without one; asks the database only, the embedded one or that of
KEYWELL_DATABASE_URL. docs/RUNBOOKS.md (KeywellKeysUnbalanced) says what to do about a difference.

Exit codes: 0 each key is accounted for, 3 not each, 1 it cannot be found out, 2 misused.
END
}

help_sign() {
  cat <<'END'
Usage: ./keywell sign FILE [OPTIONS]

Has a running service sign FILE by a key that signs once, and verifies the result. FILE stays here:
the service gets digests alone.

What comes of it:
  --pades                       a signed PDF, FILE-signed.pdf (contract.pdf: contract-signed.pdf)
    --visible                   that shows who has signed, and when, at the next free place of the
                                last page; each of the next ones includes it
    --visible-page N            on page N instead; -1 is the last page, -2 the one before
    --visible-at LEFT,TOP       exactly there: points from the upper left corner, such as 36,700
    --visible-size WxH          of this size in points (default: 220x54)
    --visible-field NAME        in this signature field, which FILE has and nobody has signed
    --visible-text TEXT         TEXT instead of name and time; \n begins a new line
    --visible-font FILE         drawn with this TrueType font (default: one for Latin, Greek and
                                Cyrillic script)
  --xades                       signed XML, FILE-signed.xml: the signature within FILE if that is
                                XML; any other content within the signature
  --cades                       FILE.p7s, a CMS signature beside any file
  --jades                       FILE-signed.json, a JSON Web Signature with any file within
  --asice                       FILE.asice, a ZIP container with any file and its signature
  none of these                 FILE.sig, the raw signature, and FILE.chain.pem, the certificate of
                                the one-time key, its issuer, the root
  --tsa URL                     with a form: a time stamp (RFC 3161) of that authority within; level
                                BASELINE-T, which is BASELINE-B without it

EU DSS verifies each form, and then pdfsig, xmlsec1 or openssl, if it is here. Where the result could
not be written, or FILE cannot be signed so (half a PDF, XML in UTF-16), nothing is signed (exit code 2). What cannot be written in the end is kept elsewhere:
the message says where, and names the request. Results appear whole or not at all.

  --url URL                     the service (default: KEYWELL_URL, else http://127.0.0.1:8420)
  --digest NAME                 SHA-256 (default), SHA-384 or SHA-512
  --key-spec NAME               RSA-2048, RSA-3072, RSA-4096, EC-P256 or EC-P384
  --signature-algorithm NAME    RSASSA-PKCS1-v1_5, RSASSA-PSS or ECDSA
  --profile NAME                the certificate's: standard, short-lived or one of the service's
  --deadline MILLIS             give up when the answer would come later than that
  --out DIR                     where to write (default: beside FILE)
  --force                       replace an earlier signature of FILE
  --warm-up                     sign twice, and keep and show the second: the first of a process is slow
  --pool                        also show the pool's depth before and after
  --root FILE                   the root certificate to trust (default: KEYWELL_ROOT, else
                                KEYWELL_HOME/ca/root.pem, which the service wrote); with --tsa the
                                authority's as well
  --token-file FILE             the token of a service on this machine that asks for one
                                (default: KEYWELL_TOKEN_FILE, else KEYWELL_HOME/local.token)

Who signs:
  --common-name NAME (default: your user name), --given-name, --surname, --serial-number,
  --organization, --organizational-unit, --country

A service with TLS and client certificates:
  --tls-ca FILE, --tls-cert FILE, --tls-key FILE (PEM; or KEYWELL_TLS_CA, _CERT, _KEY)
END
}

help_status() {
  cat <<'END'
Usage: ./keywell status [--url URL] [--token-file FILE] [--porcelain]

Shows, for each kind of key, how many are stored and how many are loaded into the HSM, and how
many requests wait. --porcelain prints KEYSPEC STORED LOADED, one kind a line, for scripts.
END
}

help_certs() {
  cat <<'END'
Usage: ./keywell certs [DIR] [--host NAME]... [--client NAME[:ROLE,...]]...
       ./keywell certs [DIR] --revoke NAME

Makes what it takes to try the service with TLS and client certificates, FOR DEVELOPMENT ONLY, in
DIR (default: KEYWELL_HOME/certs), and prints how to use it. What is there is never overwritten.

  ca.crt, ca.key         an authority; whoever has its key can make callers
  server.crt, .key       the service's certificate: localhost, 127.0.0.1, ::1
  NAME.crt, .key, .p12   a caller's; the PKCS #12 file, password "keywell", is for browsers
  callers.yaml           who the callers are, and what each may do
  ca.crl                 what is revoked: nothing yet
  keywell.env            the settings to start the service with
  NAME.env               where a caller's ./keywell sign, status and load find all this

  --host NAME            another name or address of the service, besides those of this machine
  --client NAME[:ROLE,...]   a caller; roles: sign (default), read, operate, observe
                         (default: operator with all roles, and signer)
  --revoke NAME          revokes that caller's certificate; the running service refuses it within 2 s

For example, in two terminals:

  ./keywell certs /tmp/certs
  (set -a; . /tmp/certs/keywell.env; ./keywell up)

  (set -a; . /tmp/certs/operator.env; ./keywell sign README.md)

Certificates are valid for a year. In production they come from your own authority:
docs/CONFIGURATION.md, "Network".
END
}

help_bench() {
  cat <<'END'
Usage: ./keywell bench [--only LIST] [--rounds N] [--scale F] [--busy] [--out DIR]
       ./keywell bench scrape [--requests N] [--callers C] [--key-spec NAME]
       ./keywell bench forms [--requests N] [--callers C] [--key-spec NAME]

Measures how near the service comes to what HSM and processor can do, in twenty minutes. What is
compared takes turns in rounds of one run, and each ratio is told with its spread, beside its target:

  a  the HSM binding against a C program that makes the same calls of the same module
  b  a burst from a loaded pool against sign and destroy alone
  c  sustained load, with the loader at work, against unwrap, sign and destroy alone
  d  keys made ahead of time against a key made for each request, 1 and 32 callers
  e  latency at a steady 50 requests a second, while keys are made and loaded
  f  latency while a batch is unwrapped against while none is
  g  a claim among a million stored keys against one among ten thousand
  h  handler threads, 1 to 50
  i  processor time and memory of a request, by part
  j  start, first requests, memory
  k  the first minute of a new process against a later half minute, at half the rate of a warm one

It makes a pool and a database of its own in KEYWELL_HOME/bench-pool, which takes a quarter of an hour
the first time, and keeps both for the next run. The services that it measures it starts and stops
itself. The C program and ApacheBench come from the system's packages.

  --only LIST            some of the parts, such as a,c (default: all)
  --rounds N             rounds of each part (default: 3)
  --scale F              F times the usual keys and requests, 0.01 to 10: for a quick look, or a long one
  --busy                 measure although the machine is busy: otherwise a load average above 1 before
                         the start is refused (exit code 2). The result says so
  --out DIR              the report's folder (default: load-reports/TIME-bench)

A report's folder holds report.html (open it in a browser) and bench.json with all figures. What is
printed is the table of docs/PERFORMANCE.md.

scrape measures instead what reading the metrics costs: in six rounds, N requests (default 300)
alone, and N while the metrics are read every second as Prometheus does. Prints throughput and
latency of both, and the ratio over all rounds and of single ones, which shows how much of it is the
machine's noise. EC-P256 keys are filled in no time, and are signed with at a higher rate.

forms measures what the certificate before the signature costs: in six rounds, N acts (default 300)
of one digest each, bare (POST /sign), in a CMS (with a container) and in two calls (POST /acts), each
round in another order. Prints throughput and latency of each, and the ratios to bare: over all
rounds, and the range of single ones.
END
}

help_tables() {
  cat <<'END'
Usage: ./keywell tables [OPTIONS]

Measures Tables 2-4 to 2-11 of the thesis with the pool's own parts and prints them beside the
thesis's figures: how long it takes to make, wrap, store, load, unwrap a key and to sign with it. It
needs no service and touches none: the token (SoftHSM), the database and the CA are made for the run
and removed after it. With an HSM of yours (KEYWELL_HSM_MODULE and its other settings) every key that
is made in it is destroyed and counted; its wrapping key must exist (./keywell bootstrap). Ctrl-C
ends it early and still reports what was measured. Options:

  --only LIST            some of the tables: 2-4,2-5,2-6,2-7,2-8,2-10,2-11 (default: all; 2-8 has 2-9)
  --profile NAME         none: the HSM as it is; a device profile or its .yaml file: the HSM slowed to
                         that device; both (default): as it is, and slowed to luna-sa-1700
  --lanes N              Table 2-10 also on a simulated device that works on N requests at the same
                         time (default: 6; 1: do not)
  --scale F              F times the default number of keys and requests, 0.01 to 100
  --thesis-counts        as many as in the thesis: hours
  --work-dir DIR         where the scratch database is for the time of the run
  --out DIR              the report's folder (default: load-reports/TIME-tables)

A report's folder holds report.html (open it in a browser), tables.json with all figures, and a CSV
file a table.

Exit codes: 0 done, 1 failed or a key was left, 2 misused.
END
}

help_load() {
  cat <<'END'
Usage: ./keywell load ramp [OPTIONS]
       ./keywell load compare [--profile NAME|FILE] [--queue-limit N] [OPTIONS]
       ./keywell load overload [--profile NAME|FILE] [--rates LIST] [OPTIONS]
       ./keywell load show A B [--out FILE]
       ./keywell load plan [OPTIONS]
       ./keywell load drive-null [--seconds S] [--highest RATE]

ramp sends requests to a running service at rates that climb and fall: the thesis's Table 4-1, 2,200
requests in 553 s, up to 100 per second. Each is sent when it is due, whether or not earlier ones
have been answered, and latency runs from when it was due. All signatures and certificate chains are
checked after the run. Ctrl-C ends a run early and still writes its report. Options:

  --url URL              the service (default: KEYWELL_URL, else http://127.0.0.1:8420)
  --full                 with the inferred descent: 3,000 requests in 1,073 s
  --csv FILE             a ramp of your own: from_request,to_request,delay_ms,requests_per_second
  --time-scale F         F times the time: 0.1 is ten times as short, at ten times the rate
  --warm-up N            requests before the run that are not measured (default: 0)
  --anyway               go on with fewer keys than requests (ramp only: it looks first)
  --key-spec NAME        RSA-2048 (default), ...
  --deadline MILLIS      what requests name as their deadline (default: 60000; overload: 600000)
  --in-flight N          at most so many wait for answers (default: 5000); more count as dropped
  --verify MODE          all (default), sample (every tenth) or none
  --root FILE            the root certificate to trust (default: the one the service names)
  --test-id ID           what the service's records of the run name (default: COMMAND-TIME)
  --require CONDITION    end with 3 unless it is met: 'p99<300ms', 'dropped=0', 'share300>=99%'
  --out DIR              the report's folder (default: load-reports/TIME-COMMAND)
  --tls-ca, --tls-cert, --tls-key FILE

compare replays that ramp twice, against services that it starts and stops itself: one that makes a
key for each request, as the traditional system does, and one with the key pool, whose keys are all
loaded before. One report lays both side by side. It takes ramp's options but --url, and

  --profile NAME|FILE    slow the HSM down to a device, such as luna-sa-1700: times are simulated
  --queue-limit N        requests that may wait (default: 50, as in the thesis)
  --warm-up N            (default: 20)
  --require CONDITION    on the pooled run; on the other one: 'on-the-fly.dropped>0'; on how many
                         times as high the pool's throughput is at the peak: 'factor>20'

overload measures the base rate BR of a service with the key pool, predicts queue and latency at
constant rates above it by the thesis's formulas, sends the requests, and prints what came beside
what was predicted (Table 4-2). It starts the service itself; with --profile luna-sa-1700-remote it
is the thesis's own case. Besides the options above that fit:

  --rates LIST           40,50,100 (default), or multiples of BR: 1.5x,2x
  --requests N           of each test (default: 3000); or --seconds LIST, one for each rate
  --scale F              F times the requests
  --base-requests N, --base-callers N      how BR is measured (default: 400, 16)
  --require CONDITION    on all tests: 'accuracy>=98.6%', 'dropped=0'

Both take keys that are stored in KEYWELL_HOME, and make what is missing first, as fast as the HSM
can; what is left over stays there. No other service may use KEYWELL_HOME meanwhile.

A report's folder holds report.html (open it in a browser), run.json with all figures, and
samples.csv with a row for each request. show lays two folders of ramp side by side in one page.

plan computes what HSMs and a key pool can carry, without a service: the base rate, queue and latency
at the peak, the keys that the pool needs, the time to make them, the storage, and how many HSMs it
takes with the pool and without. By default for the thesis's case, 50 requests per second for two
hours a day on a Luna SA 1700. Options (--help lists them all, with defaults and ranges):

  --peak-rate RATE, --peak-hours N|HOURS, --business-hours 8-16, --business-days mon-fri
  --week FILE            instead: a rate for each of the week's 168 hours (CSV or JSON)
  --generation MILLIS, --signing MILLIS, --wrap MILLIS, --unwrap MILLIS, --lanes N, --hsms N
  --queue-limit N, --limit-normal MILLIS, --limit-peak MILLIS
  --input FILE           all of these from a JSON object
  --json                 print JSON
  --out DIR              also write plan.json and plan.html, with plots of the week

drive-null measures which rate the load generator itself can keep up with on this machine.

./keywell load COMMAND --help lists every option of one of these, with defaults and ranges.

Exit codes: 0 done, 1 failed or a signature was wrong, 2 misused, 3 a requirement was not met.
END
}

help_test() {
  cat <<'END'
Usage: ./keywell test [--fast | --attacks | --chaos | --lint] [MAVEN ARGUMENTS]
       ./keywell test --fuzz [SECONDS]
       ./keywell test --clients
       ./keywell test --jmh [JMH ARGUMENTS]

Runs every test: shellcheck and checks of this launcher, a check of docker-compose.yml, tests of
Prometheus' rules, the type check of Grafana's dashboards, all Java tests, with SoftHSM and NSS as
HSMs and an embedded PostgreSQL (or one in Docker, where that runs), and every query of rules and
dashboards on a Prometheus that watches a service under load. What they need is set up first, but
for Node.js 18 or newer with npm. Arguments go to Maven: ./keywell test -pl client

  --fast       static checks and unit tests only, without HSM, database and browser: two or three
               minutes; with -pl MODULE -am one module and what it needs
  --attacks    attack the executable jar instead: floods, slow connections, foreign pages, bad input,
               used keys brought back, far more requests than can be served. Ten minutes or so, which
               are worth nothing on a machine that does something else meanwhile
  --chaos      the chaos tests of the normal run, for three quarters of an hour: 200 processes of
               three instances killed under load, 20 machines lost and started from a copy, an HSM
               that fails in many ways, and one that fails a little for 20 minutes. The same again
               with -Dkeywell.chaos.seed=NUMBER, less with -Dkeywell.chaos.kills=NUMBER,
               -Dkeywell.chaos.copies=NUMBER and -Dkeywell.chaos.soak=PT2M
  --lint       the linters pkilint and zlint, and parsers that are not ours, on a certificate of each
               profile and key, and on the CA's; libxmlsec on XML signed by RSASSA-PSS, and pyHanko on PDFs. Needs
               Python 3 and Go 1.21; two minutes the first time
  --fuzz       requests that Schemathesis makes up from the OpenAPI document, with and without
               credentials, SECONDS each (300)
  --clients    clients made from the OpenAPI document sign in each form, and openssl checks what they
               got: in Java and Python by openapi-generator, in Go by oapi-codegen. Needs Python 3; without
               Go 1.21 or newer the client in Go is skipped. Three minutes the first time
  --jmh        no tests, but microbenchmarks: of a certificate, of the HSM's calls, of an answer. JMH's
               arguments choose and set them: --jmh Certify -f 3 -prof gc
END
}

help_bootstrap() {
  cat <<'END'
Usage: ./keywell bootstrap

Makes what the service needs in the HSM's token, and only what is missing: the key that wraps the
pool's keys and the CA's keys; with SoftHSM the token, too. Several HSMs (keywell.hsm.devices) get one
wrapping key together; where only some of them have one, it says so and does nothing. up and demo do this by themselves for
SoftHSM; for an HSM of yours (KEYWELL_HSM_MODULE) it happens only by this command, or with
KEYWELL_HSM_BOOTSTRAP=if-missing.
END
}

help_hsm() {
  cat <<'END'
Usage: ./keywell hsm transport [--device NAME] FILE
       ./keywell hsm enrol [--device NAME] --label LABEL --fingerprint F... REQUEST...
       ./keywell hsm accept [--device NAME] --fingerprint F ANSWER

One wrapping key in several HSMs, so that each opens the keys that another stored. It is a new key,
made in one HSM (the origin) and never outside of one in clear:
  1. at each HSM that joins:  ./keywell hsm transport east.request
                              writes a request, and shows its fingerprint
  2. at the origin:           ./keywell hsm enrol --label keywell-shared \
                                --fingerprint F-OF-EAST east.request
                              makes the key, writes east.request.answer, and shows its fingerprint
  3. at each that joins:      ./keywell hsm accept --fingerprint F-OF-ANSWER east.request.answer
  4. at all of them:          set KEYWELL_HSM_WRAPPINGKEYLABEL=keywell-shared, start the service anew

The files are not secret, and may go by any way. The fingerprints are what keeps a stranger's key out:
pass them on by another way, from the screen where they were shown, such as by telephone. If one does not
match, nothing is done, and the exit code is 1. Each command may be repeated. See
docs/operations/several-hsms-and-instances.md.

Where the settings name several HSMs (keywell.hsm.devices), --device says which one it is about. HSMs
of one instance need no files: bootstrap gives them one wrapping key where none of them has one.
END
}

help_ca() {
  cat <<'END'
Usage: ./keywell ca-request [--device NAME] FILE
       ./keywell ca-import [--device NAME] FILE

For an issuing CA below a root of your own, instead of the root that bootstrap makes:
  1. ./keywell ca-request issuing.csr     writes a PKCS #10 request for the CA key in the HSM
  2. let your CA sign it
  3. ./keywell ca-import chain.pem        takes the new certificate, followed by its issuers up to
                                          and including the root (PEM)
A running service reads its chain when it starts: start it anew after the import.

With several HSMs (keywell.hsm.devices), each that signs has a CA key of its own: run both commands
for each of them, with --device and its name. Your CA gives all of them the same subject.
END
}

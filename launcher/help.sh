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
Keywell signs every request with a fresh HSM key that was generated ahead of time.

Usage: ./keywell COMMAND [ARGUMENTS]

  demo [FILE]        go from a fresh machine to a verified signature in one command
  up [OPTIONS]       run the service until Ctrl-C
  sign FILE          sign a file with a running service: --pades for a PDF, --xades for XML, --cades for
                     any file; without these, the raw signature FILE.sig and FILE.chain.pem
  status             show how many keys a running service has
  fill N             generate keys until N are stored, as fast as this machine can
  load COMMAND       run experiments: drive a service at rising and falling rates, compare it with one
                     without a pool, plan the number of HSMs
  bench              measure how near the service comes to this machine's limits, part by part
  tables             measure the thesis's tables with the pool's own parts
  check              check that every key ever generated is accounted for
  certs [DIR]        create certificates to try TLS client authentication; for development
  bootstrap          create what the HSM token lacks
  hsm COMMAND        share one wrapping key between HSMs: transport, enrol, accept
  ca-request FILE    write a certificate request for the issuing CA
  ca-import FILE     import the certificate chain that an external CA issued for it
  test               run all tests
  help [COMMAND]     show this or a command's help; also: help load COMMAND

Every command sets up what it needs: it finds a JDK 25, gets SoftHSM from the system's packages, and
builds. None asks questions. Exit codes: 0 success, 1 failure, 2 usage error.

Environment:
  KEYWELL_HOME                   data directory (default: .keywell beside this launcher)
  SERVER_PORT                    the service's port (default: 8420)
  KEYWELL_HSM_MODULE             a PKCS#11 module other than SoftHSM, with
    KEYWELL_HSM_TOKENLABEL         its token's label (default: keywell), and
    KEYWELL_HSM_PINFILE            a file with its PIN, or KEYWELL_HSM_PIN
    KEYWELL_HSM_BOOTSTRAP          never (default for such a module) or if-missing
  KEYWELL_HSM_PROFILE            a device to simulate, for experiments (up --profile)
  KEYWELL_DATABASE_URL           a PostgreSQL other than the embedded one (jdbc:postgresql://...), with
    KEYWELL_DATABASE_USERNAME, KEYWELL_DATABASE_PASSWORDFILE
  KEYWELL_JAVA_OPTS              options for the service's Java, split at spaces
  KEYWELL_AOT                    off: no training run after builds; starts are slower (default: auto)
  JAVA_HOME                      a JDK 25 in an unusual place
END
}

help_demo() {
  cat <<'END'
Usage: ./keywell demo [FILE]

Sets up what is missing, starts the service with an embedded PostgreSQL and SoftHSM, and waits for
the first keys. Signs FILE (default: Keywell's own LICENSE) through POST /sign, verifies the
signature and its certificate chain with openssl, and shows where the time went and the depth of the
pool before and after. Then signs a small PDF, verifies it with EU DSS and pdfsig, and stops the
service. A warm-up signature, not shown, precedes each timed one.

The first run downloads and builds, a minute or two; later runs start with the keys that were kept. All data is in
KEYWELL_HOME: results in demo/, the service's log in logs/demo.log. To remove it all, delete that
directory.

The demo succeeds only if openssl accepts the signature and the chain, and EU DSS and pdfsig accept
the PDF.
END
}

help_up() {
  cat <<'END'
Usage: ./keywell up [--port P] [--profile NAME|FILE]

Runs the service in the foreground at http://127.0.0.1:8420, or on port P. When it is ready, it prints
a command to paste that signs something. Ctrl-C (or SIGTERM) stops it in order: requests in progress
are finished, and unused loaded keys go back to the store. That takes at most 30 seconds
(keywell.stop-limit); a second Ctrl-C ends it at once.

Exit codes: 143 (130 after Ctrl-C) orderly stop, 1 failure, 2 usage or configuration error, 3 out of
memory, 4 PostgreSQL or the HSM is not available, 75 a call to the HSM hung or the embedded
PostgreSQL ended: start it again.

While there are no requests, the service generates keys and stores them, wrapped by a key that never
leaves the HSM. Only one service at a time can use a data directory.

PostgreSQL is embedded unless KEYWELL_DATABASE_URL is set. The embedded one is for trials, development
and tests; in production, use your own (docs/operations/database-and-backup.md).

--profile (for experiments) slows the HSM down to another device's timing. NAME is luna-sa-1700 (signing
20 ms, close to the device) or luna-sa-1700-remote (38 ms); FILE describes your own device, as in
docs/EXPERIMENTS.md. KEYWELL_HSM_PROFILE does the same. Fill the pool first: ./keywell fill N runs at
full speed as long as that variable is not set.
END
}

help_fill() {
  cat <<'END'
Usage: ./keywell fill N [--key-spec SPEC]

Generates keys until N of the kind are stored, as fast as this machine can, and shows the progress and
the time left. SPEC is RSA-2048 (default), RSA-3072, RSA-4096, EC-P256 or EC-P384. Works with or
without running services; stopping it early keeps the keys generated so far. It does not yield to
requests: signatures with the same HSM take longer meanwhile.

With SoftHSM, two shared and otherwise idle x86-64 cores generated 17 RSA-2048 keys per second.
END
}

help_check() {
  cat <<'END'
Usage: ./keywell check

Checks that every key ever generated is accounted for. For each kind, a generated key must be stored,
claimed by a service, used, forfeited after a crash, or discarded. Used keys must be on record, no key
may be in two places, and tokens must not hold a private key of unknown origin. Services report their
loaded keys and the live keys in their HSMs when no request is in progress; check compares these
figures, too. Before it reports a difference, it keeps checking for 25 seconds.

It cannot detect a change that agrees in all tables: the owner of the database owns its history. Nor
can it see session keys of other processes in the HSM.

Works with or without running services. It queries only the database: the embedded one, or that of
KEYWELL_DATABASE_URL. For what to do about a difference, see docs/RUNBOOKS.md (KeywellKeysUnbalanced).

Exit codes: 0 every key is accounted for, 3 not every key is, 1 the check failed, 2 usage error.
END
}

help_sign() {
  cat <<'END'
Usage: ./keywell sign FILE [OPTIONS]

Signs FILE with a one-time key of a running service, and verifies the result. FILE stays here: the
service receives only digests.

Formats:
  --pades                       signed PDF, FILE-signed.pdf (contract.pdf: contract-signed.pdf)
    --visible                   show who signed, and when, at the next free place of the last page;
                                implied by each option below
    --visible-page N            on page N instead; -1 is the last page, -2 the one before
    --visible-at LEFT,TOP       at this exact position: points from the upper left corner, such as 36,700
    --visible-size WxH          size in points (default: 220x54)
    --visible-field NAME        in this existing signature field of FILE, not signed yet
    --visible-text TEXT         show TEXT instead of name and time; \n starts a new line
    --visible-font FILE         use this TrueType font (default: one for Latin, Greek and Cyrillic)
  --xades                       signed XML, FILE-signed.xml: the signature is inside FILE if its name
                                ends in .xml; other content is inside the signature
  --cades                       FILE.p7s, a detached CMS signature of any file
  --jades                       FILE-signed.json, a JSON Web Signature that contains any file
  --asice                       FILE.asice, a ZIP container with any file and its signature
  none of these                 FILE.sig, the raw signature, and FILE.chain.pem, the certificates of
                                the one-time key, its issuer and the root
  --tsa URL                     with a format: add a time stamp (RFC 3161) from this authority, for
                                level BASELINE-T instead of BASELINE-B

EU DSS verifies each format; so does pdfsig, xmlsec1 or openssl, if installed and able to. Nothing is
signed (exit code 2) if the result could not be written or FILE cannot be signed in that format (a
truncated PDF, XML in UTF-16). If writing fails in the end, the result is kept elsewhere; the message
says where and names the request. Results are written completely or not at all.

Options:
  --url URL                     address of the service (default: KEYWELL_URL, else http://127.0.0.1:8420)
  --digest NAME                 SHA-256 (default), SHA-384 or SHA-512
  --key-spec NAME               RSA-2048, RSA-3072, RSA-4096, EC-P256 or EC-P384
  --signature-algorithm NAME    RSASSA-PKCS1-v1_5, RSASSA-PSS or ECDSA
  --profile NAME                certificate profile: standard, short-lived or another of the service's
  --deadline MILLIS             give up if the signature takes longer than this
  --out DIR                     where to write (default: beside FILE)
  --force                       replace an earlier signature of FILE
  --warm-up                     sign twice, keep and show the second: the first of a process is slow
  --pool                        also show the pool's depth before and after
  --root FILE                   root certificate to trust (default: KEYWELL_ROOT, else
                                KEYWELL_HOME/ca/root.pem, which the service wrote); with --tsa, also
                                the authority's
  --token-file FILE             token for a service on this machine that requires one
                                (default: KEYWELL_TOKEN_FILE, else KEYWELL_HOME/local.token)

Signer:
  --common-name NAME (default: your user name), --given-name, --surname, --serial-number,
  --organization, --organizational-unit, --country

For a service with TLS and client certificates:
  --tls-ca FILE, --tls-cert FILE, --tls-key FILE (PEM; or KEYWELL_TLS_CA, _CERT, _KEY)
END
}

help_status() {
  cat <<'END'
Usage: ./keywell status [--url URL] [--token-file FILE] [--porcelain]

Shows, for each kind of key, how many are stored and how many are loaded into the HSM, and how
many requests wait. --porcelain prints KEYSPEC STORED LOADED, one kind per line, for scripts.
END
}

help_certs() {
  cat <<'END'
Usage: ./keywell certs [DIR] [--host NAME]... [--client NAME[:ROLE,...]]...
       ./keywell certs [DIR] --revoke NAME

Creates all you need to try the service with TLS and client certificates, FOR DEVELOPMENT ONLY, in
DIR (default: KEYWELL_HOME/certs), and prints how to use it. Nothing is overwritten: DIR must be new
or empty.

  ca.crt, ca.key         a CA; anyone with its key can create callers
  server.crt, .key       the service's certificate: localhost, 127.0.0.1, ::1
  NAME.crt, .key, .p12   a caller's certificate; the PKCS #12 file, password "keywell", is for browsers
  callers.yaml           the callers and their roles
  ca.crl                 the revocation list, empty at first
  keywell.env            settings to start the service with
  NAME.env               settings for a caller's ./keywell sign, status and load

  --host NAME            another name or address of the service, besides those of this machine
  --client NAME[:ROLE,...]   a caller; roles: sign (default), read, operate, observe
                         (default callers: operator with all roles, and signer)
  --revoke NAME          revoke that caller's certificate; the running service refuses it within 2 s

For example, in two terminals:

  ./keywell certs /tmp/certs
  (set -a; . /tmp/certs/keywell.env; ./keywell up)

  (set -a; . /tmp/certs/operator.env; ./keywell sign README.md)

Certificates are valid for a year. In production, use your own CA: docs/CONFIGURATION.md, "Network".
END
}

help_bench() {
  cat <<'END'
Usage: ./keywell bench [--only LIST] [--rounds N] [--scale F] [--busy] [--out DIR]

Measures how near the service comes to what HSM and processor can do, in twenty minutes. What is
compared takes turns in the rounds of one run; each ratio is shown with its spread and its target:

  a  the HSM binding vs. a C program that makes the same calls to the same module
  b  a burst from a loaded pool vs. only signing and destroying
  c  sustained load with the loader at work vs. only unwrapping, signing and destroying
  d  keys generated ahead of time vs. a key generated per request; 1 and 32 callers
  e  latency at a steady 50 requests a second, while keys are generated and loaded
  f  latency while a batch is unwrapped vs. while none is
  g  a claim among a million stored keys vs. one among ten thousand
  h  handler threads, 1 to 50
  i  processor time and memory per request, by part
  j  startup, first requests, memory
  k  the first minute of a new process vs. a later half minute, at half the rate of a warm one

Only if named, since they measure a feature rather than a limit:

  l  the certificate before the signature: a CMS, and an act in two calls, vs. a bare signature
  m  signing while the metrics are read every second, as Prometheus does, vs. signing alone

It creates a separate pool and database in KEYWELL_HOME/bench-pool, which takes a quarter of an hour
the first time, and keeps both for the next run. It starts and stops the services that it measures.
The C compiler and ApacheBench come from the system's packages.

  --only LIST            measure only these parts, such as a,c (default: a to k)
  --rounds N             rounds of each part (default: 3)
  --scale F              F times the usual keys and requests, 0.01 to 10, for a shorter or longer run
  --busy                 measure even if the load average before the start is above 1, and note that
                         in the result; without it, this is refused (exit code 2)
  --out DIR              report folder (default: load-reports/TIME-bench)

The report folder contains report.html (open it in a browser) and bench.json with all figures. The
output is the table of docs/PERFORMANCE.md.
END
}

help_tables() {
  cat <<'END'
Usage: ./keywell tables [OPTIONS]

Measures Tables 2-4 to 2-11 of the thesis with the pool's own parts and prints them beside the
thesis's figures: how long it takes to generate, wrap, store, load and unwrap a key, and to sign with
it. It needs no service and touches none: the token (SoftHSM), the database and the CA are created for
the run and removed after it. With your own HSM (KEYWELL_HSM_MODULE and its other settings), every key
generated in it is destroyed and counted; its wrapping key must exist (./keywell bootstrap). Ctrl-C
ends it early and still reports what was measured. Options:

  --only LIST            only these tables: 2-4,2-5,2-6,2-7,2-8,2-10,2-11 (default: all; 2-8 includes 2-9)
  --profile NAME         none: the HSM as it is; a device profile or its .yaml file: the HSM slowed
                         to that device; both (default): as it is, and slowed to luna-sa-1700
  --lanes N              measure Table 2-10 also on a simulated device that works on N requests at a
                         time (default: 6; 1: skip)
  --scale F              F times the default number of keys and requests, 0.01 to 100
  --thesis-counts        as many as in the thesis: takes hours
  --work-dir DIR         where to keep the scratch database during the run
  --out DIR              report folder (default: load-reports/TIME-tables)

The report folder contains report.html (open it in a browser), tables.json with all figures, and a
CSV file per table.

Exit codes: 0 success, 1 failure or a key was left, 2 usage error.
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

ramp sends requests to a running service at rising and falling rates: the thesis's Table 4-1, 2,200
requests in 553 s, up to 100 per second. Each is sent when it is due, whether or not earlier ones
have been answered; latency counts from that time. After the run, all signatures and certificate
chains are checked. Ctrl-C ends a run early and still writes its report. Options:

  --url URL              address of the service (default: KEYWELL_URL, else http://127.0.0.1:8420)
  --full                 add the inferred descent: 3,000 requests in 1,073 s
  --csv FILE             replay your own ramp: from_request,to_request,delay_ms,requests_per_second
  --time-scale F         stretch the time by F: 0.1 takes a tenth of the time, at ten times the rate
  --warm-up N            requests before the run that are not measured (default: 0)
  --anyway               continue with fewer keys than requests (only ramp checks this)
  --key-spec NAME        RSA-2048 (default), ...
  --deadline MILLIS      deadline of each request (default: 60000; overload: 600000)
  --in-flight N          at most N requests in flight (default: 5000); more count as dropped
  --verify MODE          all (default), sample (every tenth) or none
  --root FILE            root certificate to trust (default: the one that the service names)
  --test-id ID           names the run in the service's records (default: COMMAND-TIME)
  --require CONDITION    exit with 3 unless met: 'p99<300ms', 'dropped=0', 'share300>=99%'
  --out DIR              report folder (default: load-reports/TIME-COMMAND)
  --tls-ca, --tls-cert, --tls-key FILE

compare replays that ramp twice, against services that it starts and stops: one that generates a key
for each request, as the traditional system does, and one with the key pool, with all keys loaded
beforehand. One report shows both side by side. It takes ramp's options except --url, and

  --profile NAME|FILE    slow the HSM down to a device, such as luna-sa-1700: times are simulated
  --queue-limit N        requests that may wait (default: 50, as in the thesis)
  --warm-up N            (default: 20)
  --require CONDITION    on the pooled run; on the other one: 'on-the-fly.dropped>0'; on the ratio of
                         the pool's throughput at the peak to the other's: 'factor>20'

overload measures the base rate BR of a service with the key pool, predicts queue and latency at
constant rates above it with the thesis's formulas, sends the requests, and prints actual and
predicted values side by side (Table 4-2). It starts the service; --profile luna-sa-1700-remote
reproduces the thesis's own case. In addition to the options above that apply:

  --rates LIST           40,50,100 (default), or multiples of BR: 1.5x,2x
  --requests N           requests per test (default: 3000); or --seconds LIST, one for each rate
  --scale F              F times the requests
  --base-requests N, --base-callers N      how BR is measured (default: 400, 16)
  --require CONDITION    on all tests: 'accuracy>=98.6%', 'dropped=0'

Both use keys stored in KEYWELL_HOME. They first generate missing keys, as fast as the HSM can, and
leave unused ones there. No other service may use KEYWELL_HOME meanwhile.

A report folder contains report.html (open it in a browser), run.json with all figures, and
samples.csv with a row per request. show puts two folders of ramp side by side on one page.

plan computes what HSMs and a key pool can carry, without a service: the base rate, queue and latency
at the peak, the keys that the pool needs, the time to generate them, the storage, and the number of
HSMs with and without the pool. The default is the thesis's case, 50 requests per second for two hours
a day on a Luna SA 1700. Options (--help lists all of them, with defaults and ranges):

  --peak-rate RATE, --peak-hours N|HOURS, --business-hours 8-16, --business-days mon-fri
  --week FILE            instead: a rate for each of the week's 168 hours (CSV or JSON)
  --generation MILLIS, --signing MILLIS, --wrap MILLIS, --unwrap MILLIS, --lanes N, --hsms N
  --queue-limit N, --limit-normal MILLIS, --limit-peak MILLIS
  --input FILE           read all of these from a JSON object
  --json                 print JSON
  --out DIR              also write plan.json and plan.html, with plots of the week

drive-null measures which rate the load generator can keep up with on this machine.

./keywell load COMMAND --help lists all options of a command, with defaults and ranges.

Exit codes: 0 success, 1 failure or a wrong signature, 2 usage error, 3 a requirement was not met.
END
}

help_test() {
  cat <<'END'
Usage: ./keywell test [--fast | --attacks | --chaos | --lint] [MAVEN ARGUMENTS]
       ./keywell test --fuzz [SECONDS]
       ./keywell test --clients
       ./keywell test --jmh [JMH ARGUMENTS]

Runs all tests: shellcheck and checks of this launcher, a check of docker-compose.yml, tests of the
Prometheus rules, the type check of the Grafana dashboards, all Java tests, with SoftHSM and NSS as
HSMs and an embedded PostgreSQL (or one in Docker, if available), and every query of rules and
dashboards on a Prometheus that watches a service under load. What the tests need is set up first,
except Node.js 18 or newer with npm. Other arguments go to Maven: ./keywell test -pl client

  --fast       static checks and unit tests only, without HSM, database and browser: two or three
               minutes; with -pl MODULE -am, one module and what it needs
  --attacks    attack the executable jar instead: floods, slow connections, foreign pages, bad input,
               used keys brought back, far more requests than can be served. About ten minutes;
               meaningless on a machine that is doing something else
  --chaos      the chaos tests of the normal run, for three quarters of an hour: 200 processes of
               three instances killed under load, 20 machines lost and started from a copy, an HSM
               that fails in many ways, and one that fails a little for 20 minutes. To repeat a run:
               -Dkeywell.chaos.seed=NUMBER; for less: -Dkeywell.chaos.kills=NUMBER,
               -Dkeywell.chaos.copies=NUMBER and -Dkeywell.chaos.soak=PT2M
  --lint       the linters pkilint and zlint, and third-party parsers, on a certificate of each profile
               and key, and on the CA's; libxmlsec on XML signed with RSASSA-PSS, and pyHanko on PDFs.
               Needs Python 3 and Go 1.21; two minutes the first time
  --fuzz       requests that Schemathesis generates from the OpenAPI document, with and without
               credentials, SECONDS each (default: 300)
  --clients    clients generated from the OpenAPI document sign in each form, and openssl checks the
               results: Java and Python by openapi-generator, Go by oapi-codegen. Needs Python 3; without
               Go 1.21 or newer, the Go client is skipped. Three minutes the first time
  --jmh        microbenchmarks instead of tests: of a certificate, of the HSM's calls, of an answer.
               JMH's arguments select and configure them: --jmh Certify -f 3 -prof gc
END
}

help_bootstrap() {
  cat <<'END'
Usage: ./keywell bootstrap

Creates what the service needs in the HSM's token, and only what is missing: the key that wraps the
pool's keys, and the CA's keys; with SoftHSM, also the token. Several HSMs (keywell.hsm.devices) get
one wrapping key together; if only some of them have one, the command says so and does nothing.

For SoftHSM, up and demo do this automatically. For your own HSM (KEYWELL_HSM_MODULE), only this
command or KEYWELL_HSM_BOOTSTRAP=if-missing does.
END
}

help_hsm() {
  cat <<'END'
Usage: ./keywell hsm transport [--device NAME] FILE
       ./keywell hsm enrol [--device NAME] --label LABEL --fingerprint F... REQUEST...
       ./keywell hsm accept [--device NAME] --fingerprint F ANSWER

Shares one wrapping key between several HSMs, so that each opens the keys that another stored. It is a
new key, generated in one HSM (the origin), and never leaves an HSM in clear:
  1. at each HSM that joins:  ./keywell hsm transport east.request
                              writes a request, and shows its fingerprint
  2. at the origin:           ./keywell hsm enrol --label keywell-shared \
                                --fingerprint F-OF-EAST east.request
                              creates the key, writes east.request.answer, and shows its fingerprint
  3. at each that joins:      ./keywell hsm accept --fingerprint F-OF-ANSWER east.request.answer
  4. at all of them:          set KEYWELL_HSM_WRAPPINGKEYLABEL=keywell-shared, restart the service

The files are not secret; send them by any channel. The fingerprints keep a stranger's key out: read
them from the screen and pass them on by another channel, such as the telephone. If one does not match,
nothing is done, and the exit code is 1. Each command can be repeated (enrol: under another label);
files are never replaced. See docs/operations/several-hsms-and-instances.md.

If the settings list several HSMs (keywell.hsm.devices), --device selects one. HSMs of one instance
need no files: bootstrap gives them one wrapping key if none of them has one.
END
}

help_ca() {
  cat <<'END'
Usage: ./keywell ca-request [--device NAME] FILE
       ./keywell ca-import [--device NAME] FILE

Sets up an issuing CA below your own root, instead of the root that bootstrap creates:
  1. ./keywell ca-request issuing.csr     writes a PKCS #10 request for the CA key in the HSM
  2. have your CA sign it
  3. ./keywell ca-import chain.pem        imports the new certificate, followed by its issuers up to
                                          and including the root (PEM)
A running service reads its chain at startup: restart it after the import.

With several HSMs (keywell.hsm.devices), each one that signs has its own CA key: run both commands
for each of them, with --device and its name. Your CA gives all of them the same subject.
END
}

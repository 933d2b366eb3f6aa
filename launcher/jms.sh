# shellcheck shell=bash
# Signing over a message broker: what ./keywell up --jms makes for a trial.

# use_jms: the service started from here on takes requests from a broker too: one that it brings along, with a caller
# for trying out, unless it is told another. The service makes the passwords.
use_jms() {
  export KEYWELL_JMS_ENABLED=true
  [ -z "${KEYWELL_JMS_BROKERS:-}" ] || return 0
  use_home
  export KEYWELL_JMS_EMBEDDED=true KEYWELL_JMS_VALIDATEDUSER=true KEYWELL_JMS_USERNAME=keywell
  export KEYWELL_JMS_PASSWORDFILE=$KEYWELL_HOME/jms/keywell.password
  if [ -z "${KEYWELL_SECURITY_CALLERSFILE:-}" ]; then
    export KEYWELL_SECURITY_CALLERSFILE=$KEYWELL_HOME/jms/callers.yaml
    [ -s "$KEYWELL_SECURITY_CALLERSFILE" ] || make_jms_caller "$KEYWELL_SECURITY_CALLERSFILE" || exit $?
  fi
  tell_jms
}

# make_jms_caller FILE: the caller who sends as the broker's user for trying out.
make_jms_caller() (
  umask 077
  mkdir -p "${1%/*}"
  cat >"$1.new" <<'END'
callers:
  - name: trial
    broker-user: trial
    roles: [sign]
    identity: trusted-caller
END
  mv "$1.new" "$1"
)

tell_jms() {
  say "JMS        a broker at 127.0.0.1:61616; its user trial's password: $KEYWELL_HOME/jms/trial.password"
  # The client's jars are there once the service has been unpacked.
  [ -d "$SERVICE_FOLDER/lib" ] || return 0
  cat <<END
           try it, once the service is ready:
  '$JAVA' -cp '$SERVICE_FOLDER/lib/*' '$ROOT/examples/jms/SignOverJms.java' '$KEYWELL_HOME/jms/trial.password'
END
}

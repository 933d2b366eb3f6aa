# The service alone: its database and its HSM's PINs come from outside (see docker-compose.yml).
#
#   build     compiles, and unpacks the jar: the JVM's AOT cache takes no jars within jars
#   runtime   everything that runs, but for the cache
#   train     starts it as docker-compose.yml does, has it sign, and keeps what the JVM learnt
#   (last)    runtime with the cache

FROM eclipse-temurin:25.0.3_9-jdk-noble AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    ./mvnw -q -B -ntp -DskipTests -Dspotless.check.skip=true -pl service,cli,loadgen -am package \
    && java -Djarmode=tools -jar service/target/keywell-service-exec.jar \
         extract --layers --application-filename keywell-service.jar --destination /layers

FROM eclipse-temurin:25.0.3_9-jre-noble AS runtime
RUN apt-get update \
    && apt-get install -y --no-install-recommends libsofthsm2 openssl \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 keywell \
    && useradd --system --uid 10001 --gid keywell --home-dir /var/lib/keywell --shell /usr/sbin/nologin keywell \
    # A new volume takes over owner and mode of what it covers.
    && install -d -o keywell -g keywell -m 0700 \
         /var/lib/keywell /var/lib/keywell/softhsm /var/lib/keywell/softhsm/tokens \
    && install -d /etc/keywell \
    && printf '%s\n' \
         'directories.tokendir = /var/lib/keywell/softhsm/tokens' \
         'objectstore.backend = file' \
         'slots.removable = false' \
         'log.level = ERROR' \
         > /etc/keywell/softhsm2.conf
WORKDIR /opt/keywell
# What changes seldom comes first: pushing a new version then moves little.
COPY --from=build /layers/dependencies/ ./
COPY --from=build /layers/snapshot-dependencies/ ./
COPY --from=build /layers/application/ ./
COPY --chmod=0444 launcher/container-start.sh launcher/container-health.sh LICENSE ./
ENV KEYWELL_HOME=/var/lib/keywell \
    KEYWELL_HSM_MODULE=/usr/lib/softhsm/libsofthsm2.so \
    SOFTHSM2_CONF=/etc/keywell/softhsm2.conf
USER keywell
WORKDIR /var/lib/keywell

FROM runtime AS train
USER root
# Any PostgreSQL will do; it goes with this stage.
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql
COPY --from=build /build/cli/target/keywell-cli-exec.jar \
    /build/loadgen/target/keywell-loadgen-exec.jar /train/
COPY --chmod=0444 launcher/container-train.sh launcher/authority.sh launcher/make-compose-secrets.sh /train/
USER keywell
# The cache fits this JVM and these very jars. Where it does not fit, the JVM starts without it.
RUN bash /train/container-train.sh /tmp/keywell.aot

FROM runtime
# Not the service's own: the JVM trusts what is in it.
COPY --from=train --chown=root:root --chmod=0444 /tmp/keywell.aot /opt/keywell/
VOLUME /var/lib/keywell
# Callers; health and metrics, which listen on the container's loopback unless configured otherwise.
EXPOSE 8420 8421
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD ["bash", "/opt/keywell/container-health.sh"]
ENTRYPOINT ["bash", "/opt/keywell/container-start.sh"]
CMD ["serve"]

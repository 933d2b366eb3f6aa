# The service alone: its database and its HSM's PINs come from outside (see docker-compose.yml).

FROM eclipse-temurin:25-jdk AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    ./mvnw -q -B -ntp -DskipTests -Dspotless.check.skip=true -pl service -am package

FROM eclipse-temurin:25-jre
RUN apt-get update \
    && apt-get install -y --no-install-recommends libsofthsm2 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /var/lib/keywell --shell /usr/sbin/nologin keywell \
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
COPY --from=build /build/service/target/keywell-service-exec.jar /opt/keywell/keywell-service.jar
COPY launcher/container-start.sh launcher/container-health.sh /opt/keywell/
COPY LICENSE /opt/keywell/LICENSE

# Health and metrics have a port of their own, reachable only inside the container: the health check
# then needs no client certificate, and the outside cannot ask.
ENV KEYWELL_HOME=/var/lib/keywell \
    KEYWELL_HSM_MODULE=/usr/lib/softhsm/libsofthsm2.so \
    SOFTHSM2_CONF=/etc/keywell/softhsm2.conf \
    MANAGEMENT_SERVER_PORT=8421 \
    MANAGEMENT_SERVER_ADDRESS=127.0.0.1 \
    MANAGEMENT_SERVER_SSL_ENABLED=false

USER keywell
WORKDIR /var/lib/keywell
VOLUME /var/lib/keywell
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["bash", "/opt/keywell/container-health.sh"]
ENTRYPOINT ["bash", "/opt/keywell/container-start.sh"]
CMD ["serve"]

# The gateway in a container: docker build --tag haft . && docker run --rm --network host haft
#
# haft listens on loopback, which in a container of its own network nobody else reaches. With the
# host's network that is the host's loopback. To be reached from other machines it needs an address
# and a token: docker run --rm --publish 11435:11435 --env HAFT_TOKEN=... haft serve --listen 0.0.0.0:11435
FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
# A C compiler for SQLite and ring comes with the image.
COPY . .
RUN cargo build --locked --release --package haft-cli --features durable,otlp

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/haft haft
COPY --from=build /build/target/release/haft /usr/local/bin/haft
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/haft/
USER 10001
WORKDIR /var/lib/haft
VOLUME /var/lib/haft
EXPOSE 11435
ENTRYPOINT ["haft"]
CMD ["serve"]

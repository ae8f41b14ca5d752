# SPDX-License-Identifier: Apache-2.0
# sluice-bench and the sidecar, for docker/bench, which first tags the build stage of docker/Dockerfile:
#   docker build -f docker/Dockerfile --target build -t sluice-build .
#   docker build -f docker/bench.Dockerfile -t sluice-bench docker
FROM sluice-build AS build
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libbenchmark-dev \
 && rm -rf /var/lib/apt/lists/*
RUN cmake --preset package -DSLUICE_BENCH=ON -DSLUICE_HEADER_ONLY_LOG=ON \
 && cmake --build --preset package -j "$(nproc)" --target sluice-bench \
 && strip -o /stage/usr/bin/sluice-bench build/package/bench/sluice-bench

FROM debian:bookworm-slim
COPY --from=build /packages /tmp/packages
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends \
      libbenchmark1debian </tmp/packages \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
 && install -d -o 65532 -g 65532 -m 0770 /run/sluice
COPY --from=build /stage/ /
RUN sluice-bench --benchmark_list_tests=true >/dev/null
USER 65532:65532

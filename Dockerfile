# syntax=docker/dockerfile:1

# Built with BuildKit, which Docker has used by default since version 23:  docker build -t owner-workspace:0.1.0 .
#
# The base is pinned by its version, the one of scripts/runtime. To pin its digest as well, append to the tag, in both
# stages, the Digest that `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints:
# node:24.21.0-bookworm-slim@sha256:…
# Debian and not Alpine: sharp and better-sqlite3 are tested with their binaries for glibc.

FROM node:24.21.0-bookworm-slim AS build
ENV npm_config_cache=/var/cache/npm
WORKDIR /app
# Rarely changed layers come first: without a change of the lock file nothing is downloaded again.
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/var/cache/npm npm ci --no-progress
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/bootstrap.mjs scripts/
COPY scripts/bootstrap scripts/bootstrap
COPY ports ports
COPY core core
COPY adapters adapters
COPY composition composition
COPY web web
RUN npm run build && npm prune --omit=dev --no-progress

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
# 1000 is the user `node` of the base, written as a number so that an orchestrator sees that it is not root.
RUN mkdir -m 700 /data && chown 1000:1000 /data && ln -s /app/bin/owner-workspace.mjs /usr/local/bin/owner-workspace
WORKDIR /app
# The lock file and the compiler settings are omitted: their absence tells the command that the build is complete.
# Modes are set because a checkout made under a strict umask is readable by its owner only.
COPY --chmod=644 LICENSE CHANGELOG.md package.json ./
COPY --chmod=755 bin bin
COPY --chmod=755 scripts/bootstrap scripts/bootstrap
COPY --chmod=755 scripts/image scripts/image
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# A start may migrate the database first; failures within this period do not count.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "/app/scripts/image/health.mjs"]
# Files are read in child processes that need no privileges: they only lower limits, and use Node's permission model.
# The command is node itself, so that signals reach it. It is a supervisor: it runs the service in a child process and
# restarts it after a crash. Add --init (compose: init: true) to reap the processes of a child that was killed.
ENTRYPOINT ["owner-workspace"]
CMD ["serve"]

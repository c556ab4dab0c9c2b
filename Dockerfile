# One image for every process; the command picks it:
#   docker run ... roster node bundle/track.js
#   docker run ... roster node bundle/roster.js --help

FROM node:20.20.2-bookworm-slim AS files
COPY scripts/image/root.sh /root.sh
RUN apt-get update -qq && /root.sh /image \
 && mkdir -p /image/usr/bin /image/usr/share/doc/node \
 && cp /usr/local/bin/node /image/usr/bin/node \
 && cp /usr/local/LICENSE /image/usr/share/doc/node/copyright

FROM node:20.20.2-bookworm-slim AS manifests
WORKDIR /app
COPY . .
# Nothing but the manifests is left, so that the layers with dependencies change only when these do.
RUN find packages services bench e2e faults -type f ! -name package.json -delete \
 && rm -rf turbo.json tsconfig.base.json scripts

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci
COPY . .
RUN npx tsc -b services/ingress services/track services/identity services/subscription services/export services/scim services/messaging services/integrations services/monitor packages/cli \
 && node scripts/bundle.mjs

# The last stage holds what runs and nothing else: docs/adr/0055-the-image-holds-what-runs.md. scripts/image.mjs makes the same without an engine.
FROM build AS app
COPY --from=files /image /image
RUN node scripts/image/app.mjs /image

# Drivers of the warehouses that are read: docs/integrations.md. In /node_modules, where the bundle finds them too.
FROM node:20.20.2-bookworm-slim AS drivers
ARG WAREHOUSE_DRIVERS=""
RUN mkdir -p /drivers/node_modules \
 && (test -z "$WAREHOUSE_DRIVERS" || npm install --prefix /drivers --omit=dev --ignore-scripts $WAREHOUSE_DRIVERS)

FROM scratch
COPY --from=files /image /
COPY --from=drivers /drivers/node_modules /node_modules
COPY --from=app /image/app /app
WORKDIR /app
LABEL org.opencontainers.image.title="roster" \
      org.opencontainers.image.description="Self-hosted user data, identity and messaging" \
      org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
# HOST: a container listens on its own address. Publish only what should be reachable.
# Heap: three quarters of the 512 MB that docker-compose.yml and k8s/ give a process. One thread beside the main one
# cleans it up: four of them take the processors from whatever answers requests.
ENV PATH=/usr/bin \
    NODE_ENV=production \
    NODE_OPTIONS="--disable-proto=delete --max-old-space-size=384 --v8-pool-size=1" \
    HOST=0.0.0.0 \
    ADMIN_PORT=9090
EXPOSE 8080 8090 3000 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.ADMIN_PORT+'/health/live').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "bundle/ingress.js"]

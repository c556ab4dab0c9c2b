# One image for every process; the command picks it:
#   docker run ... roster node bundle/track.js
#   docker run ... roster node bundle/roster.js --help

FROM node:20.20.2-bookworm-slim AS manifests
WORKDIR /app
COPY . .
# Nothing but the manifests is left, so that the layers with dependencies change only when these do.
RUN find packages services bench e2e faults -type f ! -name package.json -delete \
 && rm -rf scripts

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci
COPY . .
RUN node scripts/compile.mjs

FROM node:20.20.2-bookworm-slim
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev \
      -w @roster/ingress-service -w @roster/track-service -w @roster/identity-service -w @roster/subscription-service -w @roster/export-service -w @roster/scim-service -w @roster/messaging-service -w @roster/integrations-service -w @roster/monitor-service -w @roster/cli \
 && npm cache clean --force
COPY --from=build /app/bundle ./bundle
USER 10001:10001
# HOST: a container listens on its own address. Publish only what should be reachable.
# Heap: three quarters of the 512 MB that docker-compose.yml and k8s/ give a process. One thread beside the main one
# cleans it up: four of them take the processors from whatever answers requests.
ENV NODE_ENV=production \
    NODE_OPTIONS="--disable-proto=delete --max-old-space-size=384 --v8-pool-size=1" \
    HOST=0.0.0.0 \
    ADMIN_PORT=9090
EXPOSE 8080 8090 3000 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.ADMIN_PORT+'/health/live').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "bundle/ingress.js"]

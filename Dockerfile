# The image of docs/operate.md. It writes to /data only.
# The libraries are the same for every platform, so this stage runs on the platform that builds.
FROM --platform=$BUILDPLATFORM oven/bun:1.4.5 AS dependencies
WORKDIR /app
COPY package.json bun.lock LICENSE ./
# No peer dependencies: those that the program needs are installed anyway, see docs/releasing.md.
RUN bun install --frozen-lockfile --production --omit=peer
COPY scripts ./scripts
RUN bun scripts/third-party-notices.ts > THIRD-PARTY-NOTICES

FROM oven/bun:1.4.5-slim
LABEL org.opencontainers.image.title="Overdue" \
      org.opencontainers.image.description="Tells you when a job did not run: cron and heartbeat monitoring in one process and one file." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.1.0"
WORKDIR /app
# Created here, because a new named volume takes its owner from the image.
RUN install -d -m 700 -o 1000 -g 1000 /data && ln -s /app/src/main.ts /usr/local/bin/overdue
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=dependencies /app/THIRD-PARTY-NOTICES ./
COPY package.json schema.sql LICENSE ./
COPY src ./src
# What its pages of help show.
COPY README.md CHANGELOG.md ./
COPY docs/*.md ./docs/
# The runtime's cache would need a writable home.
ENV NODE_ENV=production \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
    HOST=0.0.0.0 \
    DATABASE_URL=sqlite:/data/overdue.db
# By number, so that Kubernetes can see that it isn't root. The base image calls this user bun.
USER 1000:1000
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["overdue", "health"]
ENTRYPOINT ["overdue"]
CMD ["serve"]

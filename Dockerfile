# The viewer, the receiver and the sample. The receiver listens on loopback only, so the container uses the host's network:
#   docker run --rm --read-only --network host spanflame
#   docker run --rm --read-only --network host spanflame --sample --no-open --port 8080
FROM node:22.20.0-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && mkdir /packed && npm pack --pack-destination /packed

FROM node:22.20.0-slim
ENV NODE_ENV=production
RUN --mount=from=build,source=/packed,target=/packed \
    npm install --global --no-audit --no-fund /packed/spanflame-*.tgz
USER node
WORKDIR /recordings
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:4318/').catch(() => process.exit(1))"]
ENTRYPOINT ["spanflame"]
CMD ["receive", "--no-open"]

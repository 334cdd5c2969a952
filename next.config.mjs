import { existsSync } from 'node:fs';

// ATELIER_DIST_DIR selects another build folder, for example to run tests while the app runs from `.next`.
const distDir = process.env.ATELIER_DIST_DIR ?? '.next';

// One build must work with any configuration, so this file must not depend on runtime settings.
/** @type {import('next').NextConfig} */
export default {
  distDir,
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm run check` checks the types, in CI too. The first start waits for the build, so it does not check them again.
  typescript: { ignoreBuildErrors: true },
  // Images have signed URLs, come from the material library or are served by Atelier's routes. None of them needs
  // /_next/image.
  images: { unoptimized: true },
  experimental: {
    // Enables `global-not-found.tsx` for all unknown paths. A `not-found.tsx` would need a single root layout.
    globalNotFound: true,
    // Lets a page respond with a real 403 through `forbidden()`.
    authInterrupts: true,
    // While the browser is offline, navigation waits instead of showing the browser's error page.
    useOffline: true,
    // Nothing reads the server code's source maps, and generating them would take a quarter of the build time.
    turbopackSourceMaps: false,
    // No browser downloads the server code, and minifying it would make the build half as long again.
    turbopackMinify: { client: true, server: false, edge: false },
    // Write no cache in the first build of a folder. The cache helps only rebuilds. Writing it takes a fifth of the
    // build time, and the cache takes up 250 MB.
    turbopackFileSystemCacheForBuild: existsSync(`${distDir}/BUILD_ID`),
    // Next buffers request bodies for proxy.ts, although proxy.ts does not read them. By default, it buffers up to
    // 10 MB per connection.
    proxyClientMaxBodySize: '16kb',
  },
  serverExternalPackages: [
    'pino',
    '@fastify/busboy',
    '@opentelemetry/api',
    '@opentelemetry/sdk-trace',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/resources',
    '@opentelemetry/context-async-hooks',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-metrics-otlp-http',
  ],
};

/** @type {import('next').NextConfig} */
export default {
  // Tests set another folder, so that they never overwrite the build of a running app.
  distDir: process.env.ATELIER_DIST_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // Pages and /api set their own headers. These are for static files and for the 404 response to a missing one.
  headers: async () => [
    {
      source: '/_next/:path*',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        {
          key: 'Content-Security-Policy',
          value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        },
      ],
    },
    { source: '/icon.svg', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
  ],
  // `npm run check` checks the types, so the build does not have to.
  typescript: { ignoreBuildErrors: true },
  // Images have signed URLs or come from the material library, so /_next/image is not needed.
  images: { unoptimized: true },
  experimental: {
    // Lets a page respond with a real 403 through `forbidden()`.
    authInterrupts: true,
    // Makes a navigation wait while there is no connection, instead of leaving the app for the browser's error page.
    useOffline: true,
    // Nothing reads the source maps of server code, and they took up a quarter of the build.
    turbopackSourceMaps: false,
    // Next buffers request bodies for proxy.ts, which does not read them: without this limit, up to 10 MB per
    // connection.
    proxyClientMaxBodySize: '16kb',
  },
  // One build must work with any configuration, so nothing in this file may depend on runtime settings.
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

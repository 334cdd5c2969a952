/** @type {import('next').NextConfig} */
export default {
  // Tests build elsewhere, so that they never overwrite the build of a running app.
  distDir: process.env.ATELIER_DIST_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // Pages and /api set their own headers; these are for static files, and for the 404 page of a missing one.
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
  // `npm run check` checks the types, so the build need not.
  typescript: { ignoreBuildErrors: true },
  // Images have signed URLs or come from the material library, so /_next/image is not needed.
  images: { unoptimized: true },
  experimental: {
    // `forbidden()` returns a real 403 for a page.
    authInterrupts: true,
    // Without a connection, a navigation waits for it, instead of leaving the app for the browser's error page.
    useOffline: true,
    // Nothing reads the source maps of server code, which were a quarter of the build's size.
    turbopackSourceMaps: false,
    // Next buffers each body for proxy.ts, which reads none: up to 10 MB per connection without this limit.
    proxyClientMaxBodySize: '16kb',
  },
  // One build serves any configuration: nothing here may depend on runtime settings.
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

/** @type {import('next').NextConfig} */
export default {
  // The build output may live elsewhere, so that tests never overwrite a running copy.
  distDir: process.env.ATELIER_DIST_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // Pages and /api set their headers themselves: these go to the files beside them.
  headers: async () => [
    { source: '/_next/:path*', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
    { source: '/icon.svg', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
  ],
  // `forbidden()` answers a page with a real 403.
  experimental: { authInterrupts: true },
  // One build serves any configuration: nothing here may read a setting of a running copy.
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

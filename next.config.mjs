/** @type {import('next').NextConfig} */
export default {
  // The build output may live elsewhere, so that tests never overwrite a running copy.
  distDir: process.env.ATELIER_DIST_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `forbidden()` answers a page with a real 403.
  experimental: { authInterrupts: true },
  // One build serves any configuration: nothing here may read a setting of a running copy.
  serverExternalPackages: ['pino', '@fastify/busboy'],
};

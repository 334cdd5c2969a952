import { version } from '@/package.json';

/** Says that the process answers; what it depends on is `/api/health/ready`. */
export function GET() {
  return Response.json({ status: 'ok', version });
}

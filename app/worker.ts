import { logger } from '@/lib/log/logger';
import { startWork } from './start-work';

// A process that only runs work: `npm run worker`. Any number of them share the work with the app's own loops.
const endWork = await startWork();

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  await endWork();
  logger().info('worker stopped');
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
logger().info('worker started');

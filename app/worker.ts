import { logger } from '@/lib/log/logger';
import { startWork } from './start-work';

// Entry point of `npm run worker`, a process that only runs background work. Any number of workers can run alongside
// the app processes, which also run background work.
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

import { serveTasks } from '@/lib/threads/serve-tasks';
import { documentTasks } from './document-tasks';

// What each thread of `inDocumentThread` runs.
serveTasks(documentTasks);

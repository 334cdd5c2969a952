import { serveTasks } from '@/lib/threads/serve-tasks';
import { documentTasks } from './document-tasks';

// Entry module of the threads that `inDocumentThread` starts.
serveTasks(documentTasks);

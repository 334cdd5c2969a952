import { serveTasks } from '@/lib/threads/serve-tasks';
import { documentTasks } from './document-tasks';

// The entry module of the threads of `inDocumentThread`.
serveTasks(documentTasks);

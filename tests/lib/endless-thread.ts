import { serveTasks } from '@/lib/threads/serve-tasks';

serveTasks({
  same: (input: unknown) => input,
  endless: () => {
    for (;;);
  },
});

import { tsImport } from 'tsx/esm/api';

// Threads run JavaScript. `tsx` loads the TypeScript that this one uses.
const { serveTasks } = await tsImport('@/lib/threads/serve-tasks', import.meta.url);

serveTasks({
  same: (input) => input,
  endless: () => {
    for (;;);
  },
});

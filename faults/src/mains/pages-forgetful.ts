// The pages forget which form a choice came with: what is sent again is a request of its own.
import { openPagesQueue, startPages } from '@roster/messaging-service';
import { run } from '@roster/runtime';

const forgetful: typeof openPagesQueue = (context) => {
  const queue = openPagesQueue(context);
  return { ...queue, submit: ({ once: _, ...submitted }) => queue.submit(submitted) };
};

await run('pages', (context) => startPages(context, { pagesQueue: forgetful }));

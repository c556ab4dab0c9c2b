// The pages forget which form a choice came with: what is sent again is a request of its own.
import { openPagesQueue, startMessaging } from '@roster/messaging-service';
import { run } from '@roster/runtime';

const forgetful: typeof openPagesQueue = (context) => {
  const queue = openPagesQueue(context);
  return { ...queue, submit: ({ once: _, ...submitted }) => queue.submit(submitted) };
};

await run('messaging', (context) => startMessaging(context, { pagesQueue: forgetful }));

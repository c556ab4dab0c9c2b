import {
  openPagesQueue,
  roomForForms,
  searchForHead,
  startPages,
  waitForForm,
} from '@roster/messaging-service';
import { runVariant } from './parts/variant.ts';

const forgetfulQueue: typeof openPagesQueue = (context) => {
  const queue = openPagesQueue(context);
  return { ...queue, submit: ({ once: _, ...submitted }) => queue.submit(submitted) };
};

await runVariant('pages', {
  /** Forget which form a choice came with: what is sent again is a request of its own. */
  forgetful: (context) => startPages(context, { pagesQueue: forgetfulQueue }),
  /** A form that never comes keeps its place, and the head of a page is searched for again and again. */
  unbounded: (context) =>
    startPages(context, { bounds: roomForForms, readForm: waitForForm, withHead: searchForHead }),
});

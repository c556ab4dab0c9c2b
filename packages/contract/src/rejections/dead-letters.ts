/** Why accepted requests become dead letters. The workers find them (packages/queue, packages/store); callers and operators read them. */
export const deadLetterCodes = {
  blocked: {
    reason: "the worker's event loop was blocked for 3 s",
    when: 'The request kept its worker from everything else, and the worker ended itself.',
  },
  out_of_memory: {
    reason: 'the worker ran out of memory (400 MB)',
    when: 'The worker came to the end of its memory while only this request was at work, and its process ended.',
  },
  exit: {
    reason: 'the worker process exited while only this request was at work',
    when: 'The request had the process exit. The log of the worker has the error before.',
  },
  crash: {
    reason: 'the worker process ended each time this request ran',
    when: 'Three times the process ended while it computed with the request, without a word about why.',
  },
  transaction_too_long: {
    reason: 'its transaction took longer than 7 s',
    when: 'Three times, the last of them alone, while MongoDB was well.',
  },
  unknown_operation: {
    reason: 'its worker does not know the operation',
    when: 'A newer version accepted it, and for a day no worker knew it. Retry it when the workers are of that version.',
  },
} as const;

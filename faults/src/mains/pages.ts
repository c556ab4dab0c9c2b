import { openPagesQueue, startPages } from '@roster/messaging-service';
import { runVariant } from './parts/variant.ts';

const forgetfulQueue: typeof openPagesQueue = (context) => {
  const queue = openPagesQueue(context);
  return { ...queue, submit: ({ once: _, ...submitted }) => queue.submit(submitted) };
};

/** Each place where a tag could begin is tried with all that follows. */
const searchForHead = (html: string, { title, language }: { title: string; language: string }): string => {
  const hasCharset = /<meta\s[^>]*charset/i.test(html);
  const hasViewport = /<meta\s[^>]*name\s*=\s*["']?viewport/i.test(html);
  const head = `${hasCharset ? '' : '<meta charset="utf-8">'}${hasViewport ? '' : '<meta name="viewport">'}<title>${title}</title>`;
  return `<!doctype html><html lang="${language}"><head>${head}</head><body>${html}</body></html>`;
};

await runVariant('pages', {
  /** Forget which form a choice came with: what is sent again is a request of its own. */
  forgetful: (context) => startPages(context, { pagesQueue: forgetfulQueue }),
  unbounded: (context) =>
    startPages(context, {
      /** Forms have no more places than pages, and one network may take them all. */
      bounds: { receiving: { most: 64, ofOne: 64 } },
      /** A form that does not come holds its place for ever. */
      readForm: (request) =>
        new Promise((resolve) => {
          const pieces: Buffer[] = [];
          request.on('data', (piece: Buffer) => void pieces.push(piece));
          request.on('end', () => resolve({ body: Buffer.concat(pieces).toString() }));
        }),
      withHead: searchForHead,
    }),
});

/**
 * Negative controls for the fault tests: the processes without what bounds the work of one workspace, or of a stranger. A test that passes with these
 * proves nothing. Nothing else may use them.
 */
import type { IncomingMessage } from 'node:http';
import { liftPatternLimits } from '@roster/audience';
import { liftEmailLimits } from '@roster/channels';
import { liftAddressRules } from '@roster/contract';
import type { PageBounds } from './pages/bounds.ts';
import type { Head } from './pages/head.ts';
import type { PostedForm } from './pages/read-form.ts';
import { heldLimits } from './sending/held-texts.ts';
import { pageLimits } from './sending/page.ts';
import { type ScanBudget, scanLimits } from './sending/scans.ts';
import { addresses } from './sending/texts.ts';

/**
 * Patterns and emails cost what they cost, on the event loop; audiences are looked through at once, and texts of all turns are held. The addresses of an
 * email are templates, and lists.
 */
export const liftLimits = (): void => {
  liftPatternLimits();
  liftEmailLimits();
  liftAddressRules();
  addresses.clear();
  Object.assign(scanLimits, { atOnce: Number.MAX_SAFE_INTEGER, waiting: Number.MAX_SAFE_INTEGER });
  Object.assign(pageLimits, { people: Number.MAX_SAFE_INTEGER, points: Number.MAX_SAFE_INTEGER });
  // Not infinite: they are added and taken away.
  Object.assign(heldLimits, { turn: 1e12, workspace: 1e15, process: 1e15, steps: 1e15 });
};

/** Nobody pays for looking through an audience. */
export const freeScans: ScanBudget = { pay: async () => true, owe: async () => {} };

/** Forms have no more places than pages, and one network may take them all. */
export const roomForForms: Partial<PageBounds> = { receiving: { most: 64, ofOne: 64 } };

/** A form that does not come holds its place for ever. */
export const waitForForm = (request: IncomingMessage): Promise<PostedForm> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => resolve({ body: Buffer.concat(pieces).toString() }));
  });

/** Each place where a tag could begin is tried with all that follows. */
export const searchForHead = (html: string, { title, language }: Head): string => {
  const hasCharset = /<meta\s[^>]*charset/i.test(html);
  const hasViewport = /<meta\s[^>]*name\s*=\s*["']?viewport/i.test(html);
  const head = `${hasCharset ? '' : '<meta charset="utf-8">'}${hasViewport ? '' : '<meta name="viewport">'}<title>${title}</title>`;
  return `<!doctype html><html lang="${language}"><head>${head}</head><body>${html}</body></html>`;
};

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openapi, timesOfNow } from '@roster/openapi';
import { type RequestHandler, Router } from 'express';
import { createCompressed } from './compressed.ts';
import { docsPage, docsScript } from './docs-page.ts';

/** Nothing comes from outside, and nothing but the reference runs. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const headersOf = (type: string) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

const send =
  (type: string, text: string): RequestHandler =>
  (_request, response) => {
    response.set(headersOf(type)).end(text);
  };

const freshMs = 600_000;

/** The document with examples of now, made at most once in ten minutes. */
const createDocument = (): (() => string) => {
  const text = JSON.stringify(openapi());
  let made = { at: Number.NEGATIVE_INFINITY, text };
  return () => {
    const at = Date.now();
    if (at - made.at > freshMs) made = { at, text: timesOfNow(text, new Date(at)) };
    return made.text;
  };
};

const isSource = import.meta.url.endsWith('.ts');

/** scripts/bundle.mjs puts the file of Scalar beside the bundle. */
const scalarFile = (): string | URL =>
  isSource
    ? createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')
    : new URL('./scalar.js', import.meta.url);

const createScalar = (): (() => Promise<Buffer>) => {
  let text: Promise<Buffer> | undefined;
  return () => {
    text ??= readFile(scalarFile());
    return text;
  };
};

export const docsPaths = ['/openapi.json', '/docs'];

/** The reference of the interface, made from the table: as a document, and as a page to try it out. */
export const createDocs = (): Router => {
  const script = { ...headersOf('text/javascript'), 'Cache-Control': 'public, max-age=86400' };
  return Router()
    .get('/openapi.json', createCompressed(createDocument(), headersOf('application/json')))
    .get('/docs', send('text/html', docsPage))
    .get('/docs/reference.js', send('text/javascript', docsScript))
    .get('/docs/assets/scalar.js', createCompressed(createScalar(), script));
};

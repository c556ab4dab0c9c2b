/** The frame of the pages that Roster writes itself. */
import { escapeHtml } from '@roster/runtime';
import type { Language } from '../words/choose.ts';
import { style } from './style.ts';

export interface DocumentContent {
  title: string;
  /** HTML that is escaped where it has to be. */
  main: string;
  /** What people call the workspace, where it is known. */
  sender?: string;
  /** Of the whole page: `done` when something was saved. */
  kind?: 'done';
}

export const documentOf = (
  { code }: Language,
  { title, main, sender, kind }: DocumentContent,
): string => `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(sender === undefined ? title : `${title} · ${sender}`)}</title>
<style>${style}</style>
</head>
<body>
<main${kind === undefined ? '' : ` class="${kind}"`}>
${sender === undefined ? '' : `<p class="sender">${escapeHtml(sender)}</p>\n`}<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;

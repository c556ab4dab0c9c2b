/** Pages that say why nothing else can be shown, and what to do. They say nothing of any person. */
import { escapeHtml } from '@roster/runtime';
import type { Language } from '../words/choose.ts';
import type { Words } from '../words/en.ts';
import { documentOf } from './document.ts';

type Text = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words];

export const notices = {
  broken: { status: 404, title: 'linkBroken', hint: 'linkBrokenHint' },
  expired: { status: 410, title: 'linkExpired', hint: 'linkExpiredHint' },
  formOld: { status: 410, title: 'formOld', hint: 'formOldHint' },
  tooMany: { status: 429, title: 'tooMany', hint: 'tooManyHint' },
  away: { status: 503, title: 'away', hint: 'awayHint' },
  unsubscribed: { status: 200, title: 'unsubscribed', hint: 'unsubscribedHint' },
} as const satisfies Record<string, { status: number; title: Text; hint: Text }>;

export type Notice = keyof typeof notices;

/** `pageUrl`: of the page that can be opened instead. */
export const noticePage = (notice: Notice, language: Language, pageUrl?: string): string => {
  const { words } = language;
  const { title, hint } = notices[notice];
  const link =
    pageUrl === undefined
      ? ''
      : `\n<p><a class="button" href="${escapeHtml(pageUrl)}">${escapeHtml(words.openAgain)}</a></p>`;
  return documentOf(language, {
    title: words[title],
    main: `<div class="card"><p>${escapeHtml(words[hint])}</p></div>${link}`,
  });
};

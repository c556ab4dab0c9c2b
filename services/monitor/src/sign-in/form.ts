/** The form of the sign-in: its pages, and how it is read. A slow sender delays no other caller: nothing is reserved before the form is complete. */
import { withinTime } from '@roster/contract';
import { escapeHtml, operatorPage } from '@roster/runtime';
import type { Request } from 'express';
import { scriptPath } from './browser-script.ts';
import type { Asked } from './passkeys.ts';
import { fewestCharacters, passwordRule } from './passwords.ts';

export const alert = (problem: string | undefined): string =>
  problem === undefined ? '' : `<div class="note" role="alert"><p>${escapeHtml(problem)}</p></div>`;

/** Its rule is read out with it. */
export const newPasswordField = (
  id: string,
  name: string,
  more = '',
): string => `<label for="${id}">New password</label>
<input id="${id}" name="${name}" type="password" autocomplete="new-password" minlength="${fewestCharacters}" aria-describedby="${id}-rule" required${more}>
<p class="quiet" id="${id}-rule">${passwordRule}</p>`;

const script = `<script src="${scriptPath}" defer></script>`;

/** With what the page does in the browser. */
export const formPage = (title: string, main: string): string => operatorPage(title, `${main}\n${script}`);

const placeForProblem = '<div class="note" id="problem" role="alert" hidden><p></p></div>';

/** `hidden`: fields that come back with the answer. */
export const passkeyForm = (
  { token, options }: Asked,
  {
    what,
    action,
    button,
    hidden = {},
  }: { what: 'new' | 'known'; action: string; button: string; hidden?: Record<string, string> },
): string => `${placeForProblem}<div class="card">
<form method="post" action="${action}" data-passkey="${what}" data-options="${escapeHtml(JSON.stringify(options))}">
${Object.entries({ ...hidden, token, answer: '' })
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  .join('\n')}
<button>${button}</button>
</form></div>
<noscript><div class="note"><p>A passkey is used by a script, and this browser runs none.</p></div></noscript>`;

export const passkeyPage = (asked: Asked, next: string): string =>
  formPage(
    'Use your passkey',
    `<p>The password is right. This user has a passkey too: the device or the key that was added to the account.</p>
${passkeyForm(asked, { what: 'known', action: '/sign-in/passkey', button: 'Use the passkey', hidden: { next } })}
<p class="quiet">It is lost? Who runs Roster takes it away: <code>roster dashboard invite you@example.com --forget-passkeys</code></p>
<nav aria-label="Roster"><a href="/sign-in">Sign in as somebody else</a></nav>`,
  );

export interface SignInFields {
  problem?: string;
  /** As it was typed before. */
  userName?: string;
  /** The page that was asked for. */
  next?: string;
}

export const signInPage = ({ problem, userName = '', next = '/' }: SignInFields = {}): string =>
  formPage(
    'Sign in to Roster',
    `${alert(problem)}
<div class="card"><form method="post" action="/sign-in">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label for="userName">User name</label>
<input id="userName" name="userName" autocomplete="username" value="${escapeHtml(userName)}" required${userName ? '' : ' autofocus'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${userName ? ' autofocus' : ''}>
<button>Sign in</button>
</form></div>
<p class="quiet">No user yet, or no password? Who runs Roster makes a link: <code>roster dashboard invite you@example.com</code></p>`,
  );

const otherUser = (userName: string, signedIn: string | undefined): string =>
  signedIn === undefined || signedIn === userName
    ? ''
    : alert(
        `You are signed in as ${signedIn}. This link is for ${userName}: with it you are signed out, and in as ${userName}.`,
      );

/** The name stands in the form so that a browser keeps it with the password. */
export const invitePage = (
  userName: string,
  { problem, signedIn }: { problem?: string; signedIn?: string } = {},
): string =>
  formPage(
    'Choose a password for Roster',
    `${alert(problem)}${otherUser(userName, signedIn)}
<div class="card"><form method="post">
<label for="userName">User name</label>
<input id="userName" name="userName" autocomplete="username" value="${escapeHtml(userName)}" readonly>
${newPasswordField('password', 'password', ' autofocus')}
<button>Sign in with it</button>
</form></div>`,
  );

export const overPage = (): string =>
  operatorPage(
    'This link is over',
    `<p>It is good once, for an hour. Ask who runs Roster for another: <code>roster dashboard invite you@example.com</code></p>
<p><a href="/sign-in">Sign in</a></p>`,
  );

/** A link alone must not sign anybody out: browsers and chat programs follow links by themselves. */
export const signOutPage = (userName: string | undefined): string =>
  operatorPage(
    'Sign out of Roster',
    `${userName === undefined ? '' : `<p>You are signed in as ${escapeHtml(userName)}.</p>\n`}<div class="card"><form method="post" action="/sign-out"><button>Sign out</button></form></div>
<nav aria-label="Roster"><a href="/">Start page</a></nav>`,
  );

/** The answer of a passkey is long. */
export const longestForm = { usual: 4096, withPasskey: 16_384 };

export type SignInForm = { fields: URLSearchParams } | { status: 408 | 413; problem: string };

/** The connection is left to the answer, also when the form is too long. */
const formOf = async (request: Request, longest: number): Promise<SignInForm> => {
  let text = '';
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.length > longest) return { status: 413, problem: 'This form is too long.' };
  }
  return { fields: new URLSearchParams(text) };
};

const tooSlow: SignInForm = { status: 408, problem: 'This form came too slowly. Try again.' };
export const readForm = (request: Request, limitMs: number, longest: number): Promise<SignInForm> =>
  withinTime(limitMs, formOf(request, longest), () => tooSlow);

/** The page on which dashboard users look after their own account. */
import { escapeHtml } from '@roster/runtime';
import type { DashboardUserDocument, Passkey } from '@roster/store';
import { alert, formPage, newPasswordField, passkeyForm } from '../sign-in/form.ts';
import type { Asked, Site } from '../sign-in/passkeys.ts';
import type { sessionsOf } from '../sign-in/sessions.ts';

export interface Shown {
  user: DashboardUserDocument;
  sessions: Awaited<ReturnType<typeof sessionsOf>>;
  /** Undefined at an IP: there no passkey can be made. */
  site: Site | undefined;
  problem?: string;
  /** What was just done. */
  done?: string;
}

const time = (at: Date): string =>
  `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;

/** Each form asks for the password: a browser that was left open changes nothing. */
const current = (of: string): string => `<label for="${of}-current">Password as it is now</label>
<input id="${of}-current" name="current" type="password" autocomplete="current-password" required>`;

/** A browser keeps the new password under the name in the form. */
const nameField = (userName: string): string =>
  `<input hidden name="userName" autocomplete="username" value="${escapeHtml(userName)}">`;

const form = (what: string, fields: string, button: string): string => `<form method="post" action="/account">
<input type="hidden" name="do" value="${what}">
${fields}
<button>${button}</button>
</form>`;

const passwordCard = ({ user }: Shown): string => `<section class="card"><h2>Password</h2>
<p class="quiet">${user.password_set ? `Chosen ${time(user.password_set)}.` : 'Made for you.'} Changing it signs you out everywhere else.</p>
${form(
  'password',
  `${nameField(user.userName)}
${current('password')}
${newPasswordField('password-new', 'new')}`,
  'Change the password',
)}</section>`;

const usedText = ({ used }: Passkey): string => (used ? `used ${time(used)}` : 'not used yet');

const passkeyRow = (
  passkey: Passkey,
  at: number,
): string => `<li class="row"><h3>${escapeHtml(passkey.name)}</h3>
<p class="quiet">For ${escapeHtml(passkey.host)}, added ${time(passkey.added)}, ${usedText(passkey)}.</p>
<details><summary>Remove it</summary>
${form('passkey.remove', `<input type="hidden" name="passkey" value="${escapeHtml(passkey.id)}">\n${current(`passkey-${at}`)}`, 'Remove the passkey')}
</details></li>`;

const addPasskey = form(
  'passkey.add',
  `<label for="passkey-name">Name</label>
<input id="passkey-name" name="name" maxlength="60" placeholder="My laptop" required>
${current('passkey')}`,
  'Add a passkey',
);

const passkeysCard = ({ user, site }: Shown): string => `<section class="card"><h2>Passkeys</h2>
<p class="quiet">With a passkey the password alone signs nobody in: your device, or a security key, has to agree.</p>
<ol>${(user.passkeys ?? []).map(passkeyRow).join('\n')}</ol>
${site ? addPasskey : '<p>To add one, open this page under a name instead of an IP address, such as localhost.</p>'}</section>`;

const sessionRow = ({ since, browser, isThis }: Shown['sessions'][number]): string =>
  `<li class="row"><p>${escapeHtml(browser || 'A browser without a name')}${isThis ? ' <strong>(this one)</strong>' : ''}</p>
<p class="quiet">${since ? `Since ${time(since)}` : ''}</p></li>`;

const sessionsCard = ({ sessions }: Shown): string => `<section class="card"><h2>Where you are signed in</h2>
<ol>${sessions.map(sessionRow).join('\n')}</ol>
${sessions.length > 1 ? form('sessions.end', current('sessions'), 'Sign out everywhere else') : ''}</section>`;

export const accountPage = (shown: Shown): string =>
  formPage(
    'Your account',
    `${alert(shown.problem)}${shown.done ? `<div class="note" role="status"><p>${escapeHtml(shown.done)}</p></div>` : ''}
<p>${escapeHtml(shown.user.userName)}, of the company ${escapeHtml(shown.user.company)}.</p>
${passwordCard(shown)}
${passkeysCard(shown)}
${sessionsCard(shown)}
<nav aria-label="Roster"><a href="/">Start page</a><a href="/sign-out">Sign out</a></nav>`,
  );

export const newPasskeyPage = (asked: Asked): string =>
  formPage(
    'Add a passkey',
    `<p>The browser asks where to keep it: on this device, on another one, or on a security key.</p>
${passkeyForm(asked, { what: 'new', action: '/account/passkey', button: 'Make the passkey' })}
<nav aria-label="Roster"><a href="/account">Your account</a></nav>`,
  );

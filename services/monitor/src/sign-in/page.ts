/** The pages on which a dashboard user signs in and out. No script, nothing from elsewhere. */
import { escapeHtml, operatorPage } from '@roster/runtime';

export const signInPage = (problem?: string): string =>
  operatorPage(
    'Sign in to Roster',
    `${problem === undefined ? '' : `<div class="note" role="alert"><p>${escapeHtml(problem)}</p></div>`}
<div class="card"><form method="post" action="/sign-in">
<label for="userName">User name</label>
<input id="userName" name="userName" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form></div>`,
  );

/** A link alone must not sign anybody out: browsers and chat programs follow links by themselves. */
export const signOutPage = (): string =>
  operatorPage(
    'Sign out of Roster',
    '<div class="card"><form method="post" action="/sign-out"><button>Sign out</button></form></div>',
  );

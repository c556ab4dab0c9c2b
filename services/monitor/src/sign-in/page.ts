/** The pages on which a dashboard user signs in and out. No script, nothing from elsewhere. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const page = (title: string, form: string, problem = ''): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roster: ${title}</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 20rem; padding: 0 1rem; }
      label, input, button { display: block; width: 100%; box-sizing: border-box; }
      input { margin: 0 0 1rem; padding: .5rem; font: inherit; }
      button { padding: .5rem; font: inherit; }
      p { color: #a00; }
    </style>
  </head>
  <body>
    <h1>Roster</h1>
    ${problem && `<p role="alert">${escaped(problem)}</p>`}
    ${form}
  </body>
</html>
`;

export const signInPage = (problem?: string): string =>
  page(
    'sign in',
    `<form method="post" action="/sign-in">
      <label for="userName">User name</label>
      <input id="userName" name="userName" autocomplete="username" required autofocus>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      <button>Sign in</button>
    </form>`,
    problem,
  );

/** A link alone must not sign a user out: browsers and chat programs follow links by themselves. */
export const signOutPage = (): string =>
  page(
    'sign out',
    `<form method="post" action="/sign-out">
      <button>Sign out</button>
    </form>`,
  );

import { openapi, timesOfNow } from '@roster/openapi';
import express, { type RequestHandler, Router } from 'express';
import swaggerPath from 'swagger-ui-dist/absolute-path.js';

/** Colors with enough contrast, and no choice of servers: there is one. */
const style = `
.swagger-ui .opblock .opblock-summary-method{color:#000;text-shadow:none}
.swagger-ui .info .title small,.swagger-ui .info .title small.version-stamp{background:#4b5563}
.swagger-ui .info .link,.swagger-ui .info a,.swagger-ui .info .base-url,.swagger-ui .info .url{color:#0b5cad}
.swagger-ui .btn.authorize{border-color:#1a7f37;color:#1a7f37}
.swagger-ui .btn.authorize svg{fill:#1a7f37}
.swagger-ui .scheme-container .schemes .schemes-server-container{display:none}
`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roster: reference of the interface</title>
    <link rel="icon" href="/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
    <style>${style}</style>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;

const script = `// A button with a link inside confuses screen readers. The whole row opens the operation.
const withoutLinks = ({ React }) => ({
  wrapComponents: {
    DeepLink: (Original) => (props) => React.createElement(Original, { ...props, enabled: false }),
  },
});

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [withoutLinks],
  // For screen readers: only the title of the page is above these headings, and each part has a role.
  onComplete() {
    for (const heading of document.querySelectorAll('.opblock-tag, .models h4')) heading.ariaLevel = '2';
    document.querySelector('.information-container').role = 'banner';
    const credentials = document.querySelector('.scheme-container');
    credentials.role = 'region';
    credentials.ariaLabel = 'Credentials';
  },
});

// Its dialog lists three kinds of credentials and would begin at the last one.
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.authorize')) return;
  setTimeout(() => {
    const [first] = document.querySelectorAll('.auth-container');
    first?.querySelector('input')?.focus();
    first?.scrollIntoView();
  });
});
`;

/** Nothing comes from outside, and nothing but the reference runs. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const send =
  (type: string, text: string | (() => string)): RequestHandler =>
  (_request, response) => {
    response.set({
      'Content-Type': type,
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(typeof text === 'string' ? text : text());
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

export const docsPaths = ['/openapi.json', '/docs'];

/** The reference of the interface, made from the table: as a document, and as a page to try it out. */
export const createDocs = (): Router => {
  const assets = express.static(swaggerPath(), { index: false, maxAge: '1d', redirect: false });
  return Router()
    .get('/openapi.json', send('application/json; charset=utf-8', createDocument()))
    .get('/docs', send('text/html; charset=utf-8', page))
    .get('/docs/reference.js', send('text/javascript; charset=utf-8', script))
    .use('/docs/assets', assets);
};

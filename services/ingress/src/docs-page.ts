/** The page of the reference, and the script that starts Scalar on it. */

export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Roster: reference of the interface</title>
    <link rel="icon" href="data:,">
    <style>body{margin:0}</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The same as a document: <a href="/openapi.json">openapi.json</a></noscript>
    <div id="reference"></div>
    <script src="/docs/assets/scalar.js"></script>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;

/** \`#key=\` of the address fills the examples. It is taken out of the address, and stored nowhere. */
export const docsScript = `const [, key = ''] = /^#key=([\\w.-]{1,200})$/.exec(location.hash) ?? [];
if (key) history.replaceState(null, '', location.pathname);

const inSamples = {
  'process.env.ROSTER_URL ??': location.origin,
  ...(key && { 'process.env.ROSTER_API_KEY ??': key }),
};

const filledIn = (source) =>
  Object.entries(inSamples).reduce(
    (text, [place, value]) => text.replace(place + " ''", () => "'" + value + "'"),
    source,
  );

// An operation fits two screens: what is long unfolds.
const fold = (title, text) => (text ? '\\n\\n<details><summary>' + title + '</summary>\\n\\n' + text + '\\n\\n</details>' : '');

const described = (text, errors = []) => {
  const end = text.length > 120 ? text.indexOf('. ') + 1 : 0;
  const [first, rest] = end > 0 ? [text.slice(0, end), text.slice(end + 1)] : [text, ''];
  const list = errors.map(([status, { description }]) => '**' + status + '** ' + description).join('\\n\\n');
  return first + fold('More', rest) + fold('Errors', list);
};

const isError = ([status]) => Number(status) >= 400;

const shorten = (operation) => {
  const answers = Object.entries(operation.responses);
  operation.description = described(operation.description, answers.filter(isError));
  operation.responses = Object.fromEntries(answers.filter((answer) => !isError(answer)));
  for (const sample of operation['x-codeSamples']) sample.source = filledIn(sample.source);
};

const shortened = (document) => {
  for (const parameter of Object.values(document.components.parameters))
    parameter.description = described(parameter.description);
  Object.values(document.paths).flatMap((path) => Object.values(path)).forEach(shorten);
  return document;
};

const customCss = \`
  #reference { overflow-x: clip; }
  #reference .endpoint-method, #reference .sidebar-heading-type,
  #reference .request-body-required, #reference .property-required { color: var(--scalar-color-1) !important; }
  .light-mode { --scalar-color-2: #4a4a4a; --scalar-color-3: #595959; }
  .dark-mode { --scalar-color-3: #a8a8a8; }
  .introduction-card-item:has(.client-libraries) { display: none; }
  @media (max-width: 1000px) {
    #reference .code-snippet { max-height: 10rem; overflow: auto; }
    #reference .response-card, #reference .schema-card:not(:has(.schema-properties-open)) > .schema-card-description { display: none; }
    #reference .section { padding-top: 1rem; padding-bottom: 1rem; }
  }
\`;

// Shown: curl, requests of Python, curl of PHP, and beside them the client of Roster.
const hiddenClients = {
  ...Object.fromEntries(
    ['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'kotlin', 'node', 'objc', 'ocaml']
      .concat(['powershell', 'r', 'ruby', 'rust', 'swift'])
      .map((language) => [language, true]),
  ),
  shell: ['wget', 'httpie'],
  python: ['python3', 'httpx_sync', 'httpx_async'],
  php: ['guzzle'],
};

const start = async () => {
  const answer = await fetch('/openapi.json');
  Scalar.createApiReference('#reference', {
    content: shortened(await answer.json()),
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { token: key } },
    },
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients,
    // Nothing is asked of another host.
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'direct',
    orderSchemaPropertiesBy: 'preserve',
    hideModels: true,
    customCss,
  });
};
start();
`;

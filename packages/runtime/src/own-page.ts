/** HTML pages that Roster writes itself: no script, and no picture or font from elsewhere. */
import { createHash } from 'node:crypto';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** The look that all pages share. */
export const pageStyle = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#1b1f24;--quiet:#57606a;--line:#d8dee4;--accent:#0b5cad;--on-accent:#fff;--off:#6e7781;--note:#fff8e1;--note-line:#e3c767;--good:#1a7f37}
@media (prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--text:#e6edf3;--quiet:#9aa4af;--line:#30363d;--accent:#6cb6ff;--on-accent:#0d1117;--off:#8b949e;--note:#2d2610;--note-line:#7d6a22;--good:#56d364}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:40rem;margin:0 auto;padding:1.25rem 1rem 3rem}
h1{margin:0 0 .5rem;font-size:1.625rem;line-height:1.25;letter-spacing:-.01em}
h2{margin:0 0 .25rem;font-size:1rem}
p{margin:0 0 .75rem}
.quiet{color:var(--quiet)}
.card{margin:1.25rem 0 0;padding:.25rem 1.125rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
.card ul{margin:0 0 .75rem;padding:0 0 0 1.25rem}
.card h2{margin-top:.75rem}
.note{margin:1.25rem 0 0;padding:.75rem 1.125rem;border:1px solid var(--note-line);border-radius:.75rem;background:var(--note)}
.note p{margin:0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (min-width:40rem){main{padding:4rem 1.5rem}h1{font-size:2rem}.card,.note{padding-left:1.5rem;padding-right:1.5rem}}
`.trim();

/** What the pages of the operator have beside it: links, lists, tables, commands and a form. */
const operatorStyle = `
main{max-width:60rem}
a{color:var(--accent)}
dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:.25rem 1rem;margin:.75rem 0}
dt{color:var(--quiet)}
dd{margin:0}
pre{margin:.5rem 0 .75rem;padding:.75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--page);font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9375em}
ol{margin:0;padding:0;list-style:none}
li.row{padding:.75rem 0;border-top:1px solid var(--line)}
li.row:first-child{border-top:0}
li.row p{margin:0}
li.row h3{margin:0 0 .25rem;font-size:1rem}
.good{color:var(--good)}
[hidden]{display:none}
iframe{display:block;width:100%;height:24rem;margin:.75rem 0;border:1px solid var(--line);border-radius:.5rem;background:#fff}
form{max-width:24rem}
label{display:block;margin:.75rem 0 .25rem}
input{display:block;width:100%;padding:.5rem .75rem;border:1px solid var(--off);border-radius:.5rem;background:var(--page);color:inherit;font:inherit}
button{margin:1rem 0 .875rem;padding:.5rem 1.25rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
.quiet-button{display:block;margin:.25rem 0 0;padding:.125rem 0;background:none;color:var(--accent);font-weight:400}
nav{margin:1.25rem 0 0}
nav a{margin-right:1rem}
`.trim();

const styleOfOperator = pageStyle + operatorStyle;

/** As a content security policy names it. */
export const styleHash = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

export const operatorPolicy = `default-src 'none'; style-src ${styleHash(styleOfOperator)}; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `main` is HTML that is escaped where it has to be. */
export const operatorPage = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${styleOfOperator}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;

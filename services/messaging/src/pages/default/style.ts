/** How the pages look that Roster writes itself: no script, no picture, no font from elsewhere. */
import { createHash } from 'node:crypto';

export const style = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#1b1f24;--quiet:#57606a;--line:#d8dee4;--accent:#0b5cad;--on-accent:#fff;--off:#6e7781;--note:#fff8e1;--note-line:#e3c767;--good:#1a7f37}
@media (prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--text:#e6edf3;--quiet:#9aa4af;--line:#30363d;--accent:#6cb6ff;--on-accent:#0d1117;--off:#8b949e;--note:#2d2610;--note-line:#7d6a22;--good:#56d364}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:40rem;margin:0 auto;padding:1.25rem 1rem 3rem}
.sender{margin:0 0 .75rem;color:var(--quiet);font-size:.9375rem;font-weight:600}
h1{margin:0 0 .5rem;font-size:1.625rem;line-height:1.25;letter-spacing:-.01em}
h2{margin:0 0 .25rem;font-size:1rem}
p{margin:0 0 .75rem}
.quiet{color:var(--quiet)}
.card{margin:1.25rem 0 0;padding:.25rem 1.125rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
fieldset{min-width:0}
legend{padding:0;float:left;width:100%;margin:.875rem 0 .25rem;color:var(--quiet);font-size:.8125rem;font-weight:600;letter-spacing:.04em;text-transform:uppercase}
legend+*{clear:both}
.choice{display:flex;gap:1rem;align-items:flex-start;padding:.875rem 0;border-top:1px solid var(--line)}
legend+.choice{border-top:0}
.choice label{flex:1;cursor:pointer;font-weight:600}
.choice .quiet{margin:.125rem 0 0;font-size:.9375rem;font-weight:400}
.what{flex:1;display:flex;flex-direction:column}
input[type=checkbox]{appearance:none;flex:none;position:relative;order:2;width:2.875rem;height:1.625rem;margin:0;border:2px solid var(--off);border-radius:1rem;background:transparent;cursor:pointer}
input[type=checkbox]::before{content:"";position:absolute;top:.1875rem;left:.1875rem;width:1rem;height:1rem;border-radius:50%;background:var(--off)}
input[type=checkbox]:checked{border-color:var(--accent);background:var(--accent)}
input[type=checkbox]:checked::before{left:1.4375rem;background:var(--on-accent)}
@media (forced-colors:active){input[type=checkbox]{appearance:auto;width:1.5rem;height:1.5rem}input[type=checkbox]::before{content:none}}
@media (prefers-reduced-motion:no-preference){input[type=checkbox]::before{transition:left .12s}}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
form:has(#everything:checked) .topics input{opacity:.4}
.note{margin:1.25rem 0 0;padding:.75rem 1.125rem;border:1px solid var(--note-line);border-radius:.75rem;background:var(--note)}
.note p,.card>p:last-child{margin:0}
.card>p:first-child{margin-top:.75rem}
.card>p:only-child{margin-bottom:.75rem}
.button{display:inline-block;width:100%;margin:1.5rem 0 0;padding:.8125rem 1.5rem;border:0;border-radius:.625rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{filter:brightness(1.08)}
.card ul{margin:0 0 .75rem;padding:0 0 0 1.25rem}
.card h2{margin-top:.75rem}
.done h1::before{content:"";display:inline-block;width:.5em;height:.8em;margin:0 .6em .05em .2em;border:solid var(--good);border-width:0 .16em .16em 0;transform:rotate(40deg)}
@media (min-width:40rem){main{padding:4rem 1.5rem}h1{font-size:2rem}.card,.note{padding-left:1.5rem;padding-right:1.5rem}.button{width:auto;min-width:14rem}}
`.trim();

/** As a content security policy names it. */
export const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

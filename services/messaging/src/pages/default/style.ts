/** How the pages look that Roster writes itself. */
import { styleHash as hashOf, pageStyle } from '@roster/runtime';

const own = `
.sender{margin:0 0 .75rem;color:var(--quiet);font-size:.9375rem;font-weight:600}
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
form:has(#emails:not(:checked)) input[id^=email-]{opacity:.4}
.card>p:last-child{margin:0}
.card>p:first-child{margin-top:.75rem}
.card>p:only-child{margin-bottom:.75rem}
.button{display:inline-block;width:100%;margin:1.5rem 0 0;padding:.8125rem 1.5rem;border:0;border-radius:.625rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{filter:brightness(1.08)}
.plain{margin-bottom:.75rem;border:1px solid var(--accent);background:transparent;color:var(--accent)}
.done h1::before{content:"";display:inline-block;width:.5em;height:.8em;margin:0 .6em .05em .2em;border:solid var(--good);border-width:0 .16em .16em 0;transform:rotate(40deg)}
@media (min-width:40rem){.button{width:auto;min-width:14rem;margin-right:.5rem}}
`.trim();

export const style = pageStyle + own;

/** As a content security policy names it. */
export const styleHash = hashOf(style);

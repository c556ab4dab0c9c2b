/**
 * The next steps on the start page, with ticks. They show for a key in the fragment of the address, which no browser sends to a server:
 * the script asks the interface with it, as any caller does, so the page tells nobody more than the key may read.
 */
import { escapeHtml } from '@roster/runtime';

const step = (id: string, title: string, text: string, button: string): string => `<li class="row" id="${id}">
<h3><span class="tick" aria-hidden="true">○</span> ${title} <span class="state quiet"></span></h3>
<p>${text}</p>
<button type="button">${button}</button>
<pre hidden></pre>
</li>`;

const outbox = (boardUrl: string): string =>
  boardUrl
    ? `Without a mail server it is stored: <a id="outbox" href="${escapeHtml(`${boardUrl.replace(/\/+$/, '')}/outbox`)}" target="_blank" rel="noopener">look at it in the outbox</a>.`
    : 'Without a mail server it is stored in the outbox of the monitor.';

export const steps = (
  boardUrl: string,
): string => `<section id="steps" class="card" aria-labelledby="next" hidden>
<h2 id="next">Next steps</h2>
<p class="quiet" id="ready" role="status"></p>
<ol>
${step('event', 'Send a first event', 'The command below does it, or this button: <code>signed_up</code> of the person <code>ada</code>.', 'Send the event')}
${step('person', 'Read the person', 'What Roster knows of <code>ada</code> now.', 'Read ada')}
${step('message', 'Send a message and look at it', `An email to <code>ada@example.com</code>. ${outbox(boardUrl)}`, 'Send the email')}
${step('invite', 'Invite a dashboard user', 'In the folder of Roster: <code>npm run roster -- dashboard invite you@example.com --workspace demo</code>', 'I did this')}
</ol>
</section>`;

export const stepsScript = `const [, key = '', outbox] = /^#key=([\\w.-]{1,200})(?:&outbox=([\\w-]{43}))?$/.exec(location.hash) ?? [];
const askedMost = 300;
const pauseMs = 2000;
const part = (id, selector) => document.querySelector('#' + id + ' ' + selector);
const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

// By the public part of the key: the key itself is not stored.
const place = 'steps ' + key.split('_')[1];
const storage = (() => {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
})();
const done = new Set(JSON.parse(storage?.getItem(place) ?? '[]'));
const keep = (what) => storage?.setItem(place, JSON.stringify([...done.add(what)]));

const tick = (id) => {
  keep(id);
  part(id, '.tick').textContent = '✓';
  part(id, '.tick').classList.add('good');
  part(id, '.state').textContent = '(done)';
};

const show = (id, text) => {
  part(id, 'pre').hidden = false;
  part(id, 'pre').textContent = text;
};

const ask = async (path, body) => {
  const answer = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: 'Bearer ' + key, Prefer: 'wait=10', ...(body && { 'Content-Type': 'application/json' }) },
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message ?? 'This did not work: status ' + answer.status);
  return told;
};

const readAda = async () => {
  const fields = ['external_id', 'email', 'custom_events', 'created_at'];
  const { users } = await ask('/users/export/ids', { external_ids: ['ada'], fields_to_export: fields });
  return users[0];
};

const eventsOf = (person) => person?.custom_events ?? [];

const awaitEvent = async () => {
  for (let asked = 0; asked < askedMost; asked++) {
    const events = document.hidden ? [] : eventsOf(await readAda());
    if (events.length > 0) {
      show('event', events.map(({ name, count }) => name + ': ' + count).join('\\n'));
      return tick('event');
    }
    await pause();
  }
};

const awaitSent = async (dispatch) => {
  for (let asked = 0; asked < askedMost; asked++) {
    // It is not known before the first people are due.
    const { recipients = [] } = await ask('/sends/' + dispatch).catch(() => ({}));
    if (recipients[0] && !['waiting', 'sending'].includes(recipients[0].state)) return recipients[0];
    await pause();
  }
  return { state: 'waiting' };
};

const email = { app_id: 'demo-app', from: 'Roster <news@example.com>', subject: 'Welcome, Ada', body: '<h1>Welcome, Ada</h1>' };
const lookHint = () => (document.querySelector('#outbox') ? ' Follow the link to the outbox to finish this step.' : '');
const storedHint = 'The email is stored: there is no mail server.';

const actions = {
  async event() {
    const event = { external_id: 'ada', name: 'signed_up', time: new Date().toISOString() };
    await ask('/users/track', { events: [event] });
  },
  async person() {
    const person = await readAda();
    show('person', person ? JSON.stringify(person, null, 2) : 'Nobody yet: send the event first.');
    if (person) tick('person');
  },
  async message() {
    await ask('/users/track', { attributes: [{ external_id: 'ada', email: 'ada@example.com' }] });
    const { dispatch_id } = await ask('/messages/send', { external_user_ids: ['ada'], messages: { email } });
    const { state, stored, reason } = await awaitSent(dispatch_id);
    if (state !== 'sent') return show('message', 'The email is ' + state + (reason ? ': ' + reason : '') + '.');
    show('message', (stored ? storedHint : 'The email is sent.') + lookHint());
    keep('sent');
    if (!document.querySelector('#outbox')) tick('message');
  },
  async invite() {
    tick('invite');
  },
};

const start = async () => {
  document.querySelector('#steps').hidden = false;
  for (const link of document.querySelectorAll('a[href="/docs"]')) link.hash = 'key=' + key;
  for (const [id, act] of Object.entries(actions))
    part(id, 'button').addEventListener('click', () => act().catch(({ message }) => show(id, message)));
  if (outbox) for (const link of document.querySelectorAll('#outbox')) link.search = '?token=' + outbox;
  document.querySelector('#outbox')?.addEventListener('click', () => done.has('sent') && tick('message'));
  for (const id of Object.keys(actions)) if (done.has(id)) tick(id);
  const { status } = await fetch('/health/ready', { headers: { Accept: 'application/json' }, cache: 'no-store' });
  document.querySelector('#ready').textContent = status === 200 ? 'Requests are accepted.' : 'Requests are not accepted now.';
  await awaitEvent().catch(({ message }) => show('event', message));
};
addEventListener('hashchange', () => location.hash.startsWith('#key=') && location.reload());
if (key) start();
`;

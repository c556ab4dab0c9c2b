/** The preference center of workspaces that made none: usable by keyboard and screen reader, without script. */
import { emailField, groupField } from '@roster/liquid';
import type { ConsentState } from '@roster/profile';
import { escapeHtml } from '@roster/runtime';
import type { Center, Shown } from '../center.ts';
import { everythingField, mostGroups } from '../form.ts';
import type { GroupState, Preferences } from '../preferences.ts';
import { documentOf } from './document.ts';

/** As many as a form may hold, those of emails first. Groups of text messages are shown to people with a phone only. */
const groupsFor = ({ groups, hasPhone }: Preferences) => {
  const emails = groups.filter(({ channel }) => channel === 'email').slice(0, mostGroups);
  const room = hasPhone ? mostGroups - emails.length : 0;
  return [emails, groups.filter(({ channel }) => channel === 'sms').slice(0, room)] as const;
};

const isOn = ({ state }: Pick<GroupState, 'state'>): boolean =>
  state === 'subscribed' || state === 'opted_in';

const hiddenField = (name: string, value: string): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${value}">`;

interface Box {
  id: string;
  name: string;
  value: string;
  label: string;
  hint?: string | undefined;
  checked: boolean;
  /** What the field says when the box is empty: without it a browser would send nothing. It stands before the box, for the last one counts. */
  otherwise?: string;
}

const boxOf = ({ id, name, value, label, hint, checked, otherwise }: Box): string =>
  `<div class="choice">${otherwise === undefined ? '' : hiddenField(name, otherwise)}<input type="checkbox" id="${id}" name="${escapeHtml(name)}" value="${value}"${checked ? ' checked' : ''}${
    hint === undefined ? '' : ` aria-describedby="${id}-hint"`
  }><div class="what"><label for="${id}">${escapeHtml(label)}</label>${
    hint === undefined ? '' : `<p class="quiet" id="${id}-hint">${escapeHtml(hint)}</p>`
  }</div></div>`;

const choiceOf = (group: GroupState, id: string): string =>
  boxOf({
    id,
    name: groupField(group.id),
    value: 'subscribed',
    otherwise: 'unsubscribed',
    label: group.name,
    hint: group.description,
    checked: isOn(group),
  });

const topics = (legend: string, groups: readonly GroupState[], prefix: string): string =>
  groups.length === 0
    ? ''
    : `<fieldset class="card topics"><legend>${escapeHtml(legend)}</legend>${groups
        .map((group, place) => choiceOf(group, `${prefix}${place}`))
        .join('')}</fieldset>`;

/** Who unsubscribed and switches "everything" off may get emails again, which is no opt-in. Of others nothing is said: who changes a group has not consented to more. */
const emailsAgain = (emails: ConsentState | null): string =>
  emails === 'unsubscribed' ? hiddenField(emailField, 'subscribed') : '';

const page = ({ preferences, language, submitUrl }: Shown): string => {
  const { words } = language;
  const { sender, hiddenEmail, emails } = preferences;
  const intro = hiddenEmail === undefined ? words.introWithoutEmail : words.intro(hiddenEmail);
  const [mails, texts] = groupsFor(preferences);
  const everything = boxOf({
    id: 'everything',
    name: everythingField,
    value: '1',
    label: words.unsubscribeAll,
    hint: words.unsubscribeAllHint,
    checked: emails === 'unsubscribed',
  });
  const main = [
    `<p class="quiet">${escapeHtml(intro)}</p>`,
    emails === 'unsubscribed' ? `<div class="note"><p>${escapeHtml(words.unsubscribedNow)}</p></div>` : '',
    mails.length + texts.length === 0 ? `<p>${escapeHtml(words.noTopics)}</p>` : '',
    `<form method="post" action="${escapeHtml(submitUrl)}">`,
    emailsAgain(emails),
    topics(words.emails, mails, 'email-'),
    topics(words.texts, texts, 'text-'),
    `<fieldset class="card"><legend>${escapeHtml(words.everything)}</legend>${everything}</fieldset>`,
    `<button class="button" type="submit">${escapeHtml(words.save)}</button>`,
    '</form>',
  ];
  return documentOf(language, { title: words.title, sender, main: main.filter(Boolean).join('\n') });
};

const listOf = (heading: string, groups: readonly GroupState[]): string =>
  groups.length === 0
    ? ''
    : `<h2>${escapeHtml(heading)}</h2><ul>${groups.map(({ name }) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`;

/** What counts now, so that the person sees what they have chosen. */
const confirmation = ({ preferences, language, pageUrl, isLater }: Shown): string => {
  const { words } = language;
  const all = groupsFor(preferences).flat();
  const gets = (group: GroupState): boolean =>
    isOn(group) && !(group.channel === 'email' && preferences.emails === 'unsubscribed');
  const summary = [
    preferences.emails === 'unsubscribed' ? `<p>${escapeHtml(words.youGetNothing)}</p>` : '',
    listOf(words.youGet, all.filter(gets)),
    listOf(
      words.youDoNotGet,
      all.filter((group) => !gets(group)),
    ),
  ].join('');
  const main = [
    `<p class="quiet">${escapeHtml(isLater ? words.stillSaving : words.savedHint)}</p>`,
    isLater || summary === '' ? '' : `<div class="card">${summary}</div>`,
    `<p><a class="button" href="${escapeHtml(pageUrl)}">${escapeHtml(words.changeAgain)}</a></p>`,
  ];
  return documentOf(language, {
    title: words.saved,
    sender: preferences.sender,
    main: main.filter(Boolean).join('\n'),
    kind: 'done',
  });
};

export const defaultCenter: Center = {
  render: async (name, shown) => ({ page, confirmation })[name](shown),
};

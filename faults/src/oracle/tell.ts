/** A history in words, one line a phase, for people. */
import type { History } from './history.ts';
import type { Named, Operation } from './model.ts';
import { keyOf } from './state.ts';

const by = ({ who, prefer }: Named): string => `${keyOf(who)}${prefer ? ` (${prefer.join(', ')})` : ''}`;

type Kind<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const given = ({ email, phone, says }: Kind<'track'>): string =>
  [
    ...(email === undefined ? [] : [`email ${email}`]),
    ...(phone === undefined ? [] : [`phone ${phone}`]),
    ...Object.entries(says ?? {}).map(([register, consent]) => `${register} ${consent}`),
  ]
    .map((text) => `, ${text}`)
    .join('');

const may = { usual: '', create: ', may create', update: ', updates only' };
const parts = {
  both: '',
  attributes: ', attributes',
  event: ', event',
  purchase: ', purchase',
  all: ', all',
};

const telling: { [Do in Operation['do']]: (operation: Kind<Do>) => string } = {
  track: (one) => `${keyOf(one.who)} (${one.token}${parts[one.parts]}${may[one.may]}${given(one)})`,
  subscribe: ({ who, register, state }) => `${keyOf(who)} to ${register}: ${state}`,
  'alias-new': ({ alias, ext }) => `${keyOf({ alias })}${ext ? ` for ${ext}` : ''}`,
  'alias-update': ({ label, from, to }) => `${label}/${from} to ${to}`,
  identify: ({ ext, visitor, merge }) => `${by(visitor)} as ${ext} (${merge ? 'merge' : 'none'})`,
  merge: ({ from, into }) => `${by(from)} into ${by(into)}`,
  delete: ({ named }) => by(named),
  rename: ({ from, to }) => `${from} to ${to}`,
  'remove-id': ({ ext }) => ext,
};

const told = (operation: Operation): string => {
  const tellOne = telling[operation.do] as (operation: Operation) => string;
  return `${operation.do} ${tellOne(operation)}`;
};

export const tell = ({ beginning, phases }: History): string =>
  [
    `beginning: ${beginning.map(told).join(' | ')}`,
    ...phases.map((phase, number) => `phase ${number}: ${phase.map(told).join(' | ')}`),
  ].join('\n');

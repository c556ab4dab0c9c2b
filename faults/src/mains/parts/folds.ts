// The fold, with something wrong built in. Everything else of the service stays as it is.
import { type Fold, fold, type Profile } from '@roster/profile';
import { createDice } from '../../harness/dice.ts';

type Stamped = NonNullable<Profile['fields']['email']>;

/** What MongoDB says when it goes down: it passes, so the batch is tried again. */
export const passingError = (): Error => Object.assign(new Error('injected: going down'), { code: 91 });

/** What MongoDB says of a value that can't be where it is: it never passes. */
export const permanentError = (): Error =>
  Object.assign(new Error('injected: wrong type'), { code: 14, codeName: 'TypeMismatch' });

/**
 * Fails in one turn of so many, and with it the whole batch. The folds of a turn run in one piece, so a microtask ends it. Drawn, from the same
 * seed each time: if each tenth turn failed, a batch that takes ten of them to plan would fail for ever.
 */
export const failingInOneOf = (turns: number, inner: Fold = fold): Fold => {
  const dice = createDice(1);
  let inTurn = false;
  const begin = (): void => {
    inTurn = true;
    queueMicrotask(() => {
      inTurn = false;
    });
    if (dice.below(turns) === 0) throw passingError();
  };
  return (...args) => {
    if (!inTurn) begin();
    return inner(...args);
  };
};

/** Something happens when an attribute of this name is folded. */
export const tripwire =
  (name: string, spring: () => void): Fold =>
  (profile, changes, at, n) => {
    if (changes.some((change) => 'name' in change && change.name === name)) spring();
    return fold(profile, changes, at, n);
  };

/** Takes its time, so that there is always a batch at work. */
export const slowFold = (ms: number): Fold => {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  return (...args) => {
    Atomics.wait(nobody, 0, 0, ms);
    return fold(...args);
  };
};

const sinceEver = (field: Stamped | undefined): Stamped | undefined => field && { ...field, since: 0 };

/** People have had their email and phone for ever, and never had others. */
export const forgettingSince: Fold = (...args) => {
  const folded = fold(...args);
  const { contacts: _, ...profile } = folded.profile;
  const [email, phone] = [sinceEver(profile.fields.email), sinceEver(profile.fields.phone)];
  const fields = { ...profile.fields, ...(email && { email }), ...(phone && { phone }) };
  return { ...folded, profile: { ...profile, fields } };
};

/** Looks at each object of an array once for each removal, as the rules did before they had an index. */
export const searchingFold: Fold = (profile, changes, at, n, room) => {
  for (const change of changes) {
    if (change.kind !== 'step' || !('objects' in change.step)) continue;
    const old = profile.custom.find(({ k }) => k === change.name)?.v;
    let objects = Array.isArray(old) ? old : [];
    for (const { key, value } of change.step.objects.remove ?? [])
      objects = objects.filter(
        (object) => typeof object !== 'object' || object === null || Reflect.get(object, key) !== value,
      );
  }
  return fold(profile, changes, at, n, room);
};

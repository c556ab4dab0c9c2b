import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { countLengthsLazily } from './lengths.ts';

const unit = fc.constantFrom('a', 'é', '\u2028', '😀', '\ud83d', '\ude00');
const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
const limit = fc.integer({ min: 0, max: 12 });

describe('lengths', () => {
  it.each(['minLength', 'maxLength'])('are judged as ajv judges them, in the same words: %s', (keyword) => {
    const lazy = new Ajv2020();
    countLengthsLazily(lazy);
    const theirs = new Ajv2020();
    const both = (most: number) =>
      [lazy, theirs].map((ajv) => ajv.compile({ type: 'string', [keyword]: most }));
    const validators = Array.from({ length: 13 }, (_, most) => both(most));
    fc.assert(
      fc.property(text, limit, (value, most) => {
        const [ours, other] = (validators[most] ?? []).map((isShaped) => [isShaped(value), isShaped.errors]);
        expect(ours).toEqual(other);
      }),
    );
  });
});

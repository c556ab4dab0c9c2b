import fc from 'fast-check';
import { packResults, unpackResults } from './outcomes.ts';

describe('packed results', () => {
  it('write a run as its length', () => {
    expect(packResults(['updated', 'updated', 'created', 'updated'])).toEqual([
      'updated*2',
      'created',
      'updated',
    ]);
  });

  it('unpack to the packed results', () => {
    const results = fc.array(
      fc.constantFrom('created', 'updated', 'ignored:no_such_user', 'refused:TIME_INVALID'),
      { maxLength: 200 },
    );
    fc.assert(fc.property(results, (all) => expect(unpackResults(packResults(all))).toEqual(all)));
  });
});

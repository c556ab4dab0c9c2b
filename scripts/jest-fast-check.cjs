// What tests import as fast-check: the library, with the seed of the run (seed.cjs). A property is tried a thousand times at most: with the same
// seed that is the same each time. `npm run long` tries all of them, with a seed of its own.
const library = require('fast-check');
const { fixed } = require('./seed.cjs');

const mostRuns = process.env.ROSTER_ALL_RUNS ? Number.POSITIVE_INFINITY : 1_000;

library.configureGlobal({ seed: Number(process.env.ROSTER_SEED ?? fixed) });

const bounded = ({ numRuns, ...others } = {}) => ({
  ...others,
  ...(numRuns !== undefined && { numRuns: Math.min(numRuns, mostRuns) }),
});

const assert = (property, parameters) => library.assert(property, bounded(parameters));

module.exports = { ...library, assert, default: { ...library.default, assert }, __esModule: true };

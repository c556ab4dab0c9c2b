// Finds modules for jest: see test-bundles.cjs.
const { fileFor } = require('./test-bundles.cjs');

module.exports = (name, options) => fileFor(name, options.rootDir) ?? options.defaultResolver(name, options);

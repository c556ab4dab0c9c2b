/** Lets a process of a test read TypeScript from its sources, without a build. */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const options = {
    filename,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};

/**
 * `minLength` and `maxLength` as JSON Schema has them, in code points. The validator's own walk through every text, which is half of
 * what judging an event costs; these count only where the number of UTF-16 units leaves it open.
 */

import { isLongerThan, isLongerThanBytes, isShorterThan } from '@roster/contract';
import { _, type Ajv2020, type KeywordCxt, str } from 'ajv/dist/2020.js';

/** The length in bytes of UTF-8: JSON Schema has no word for it. */
const bytesKeyword = 'x-max-bytes';

const keywords = {
  maxLength: { breaks: isLongerThan, text: 'more', unit: 'characters' },
  minLength: { breaks: isShorterThan, text: 'fewer', unit: 'characters' },
  [bytesKeyword]: { breaks: isLongerThanBytes, text: 'more', unit: 'bytes' },
} as const;

type Keyword = keyof typeof keywords;

function define(ajv: Ajv2020, keyword: Keyword): void {
  const { breaks, text, unit } = keywords[keyword];
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${text} than ${schemaCode} ${unit}`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(cxt: KeywordCxt) {
      const check = cxt.gen.scopeValue('func', { ref: breaks });
      cxt.fail(_`${check}(${cxt.data}, ${cxt.schemaCode})`);
    },
  });
}

export function countLengthsLazily(ajv: Ajv2020): void {
  define(ajv, 'maxLength');
  define(ajv, 'minLength');
  define(ajv, bytesKeyword);
}

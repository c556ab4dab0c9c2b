/**
 * `minLength` and `maxLength` as JSON Schema has them, in code points. The validator's own walk through every text, which is half of
 * what judging an event costs; these count only where the number of UTF-16 units leaves it open.
 */
import { _, type Ajv2020, type KeywordCxt, str } from 'ajv/dist/2020.js';
import { isLongerThan, isShorterThan } from '../formats/text.ts';

const keywords = {
  maxLength: { breaks: isLongerThan, word: 'more' },
  minLength: { breaks: isShorterThan, word: 'fewer' },
} as const;

type Keyword = keyof typeof keywords;

function redefine(ajv: Ajv2020, keyword: Keyword): void {
  const { breaks, word } = keywords[keyword];
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${word} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(cxt: KeywordCxt) {
      const check = cxt.gen.scopeValue('func', { ref: breaks });
      cxt.fail(_`${check}(${cxt.data}, ${cxt.schemaCode})`);
    },
  });
}

export function countLengthsLazily(ajv: Ajv2020): void {
  redefine(ajv, 'maxLength');
  redefine(ajv, 'minLength');
}

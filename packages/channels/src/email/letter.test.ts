import { letterIn } from './letter.ts';

describe('an email', () => {
  const outgoing = (content: object, more: object = {}) => ({
    id: 'd/email/p',
    to: 'ada@example.com',
    content: { from: 'a@example.com', body: '<p>Hi</p>', ...content },
    ...more,
  });

  const made = (content: object, more: object = {}) => {
    const letter = letterIn(outgoing(content, more));
    if (typeof letter === 'string') throw new Error(letter);
    return letter;
  };

  it('is answered to the sender when nobody shall be answered', () => {
    expect(made({ reply_to: 'NO_REPLY_TO' })).not.toHaveProperty('replyTo');
    expect(made({ reply_to: 'help@example.com' })).toHaveProperty('replyTo', {
      name: '',
      address: 'help@example.com',
    });
  });

  const oneMailbox = 'must be one email, or a name with one email in angle brackets, without Liquid';

  it.each([
    [
      'a person with two emails',
      {},
      { to: 'a@example.com, b@example.com' },
      'the email of the person is not one email',
    ],
    ['two senders', { from: 'eve@evil.example, z <a@example.com>' }, {}, `from ${oneMailbox}`],
    ['a template as its sender', { from: 'Shop <{{x}}@example.com>' }, {}, `from ${oneMailbox}`],
    ['two who are answered', { reply_to: 'a@example.com, b@example.com' }, {}, `reply_to ${oneMailbox}`],
    [
      'two who get a copy',
      { bcc: 'a@example.com,b@example.com' },
      {},
      'bcc must be one email, without Liquid',
    ],
    [
      'a header of Roster',
      { headers: { 'list-unsubscribe': '<https://evil.example>' } },
      {},
      /^the header list-unsubscribe is not allowed/,
    ],
    [
      'a header of two lines',
      { headers: { 'X-Own': 'a\r\nBcc: b@example.com' } },
      {},
      'the header X-Own must be one line without control characters',
    ],
    [
      'a header that its texts made long',
      { headers: { 'X-Own': 'x'.repeat(999) } },
      {},
      'the header X-Own must have at most 998 characters',
    ],
  ])('with %s goes to nobody', (_what, content, more, reason) => {
    expect(letterIn(outgoing(content, more))).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });

  it('has a subject of one line, which texts make only so long', () => {
    expect(made({ subject: 'a\r\nBcc: eve@example.com' }).subject).toBe('a Bcc: eve@example.com');
    expect(letterIn(outgoing({ subject: 'x'.repeat(1001) }))).toBe(
      'the subject must have at most 1000 characters',
    );
  });

  it('has the headers of Roster beside those of the sender', () => {
    const ours = { 'List-Unsubscribe': '<https://example.com/u>' };
    expect(made({ headers: { 'X-Own': 'yes\n' } }, { headers: ours }).headers).toEqual({
      'X-Own': 'yes',
      ...ours,
    });
  });
});

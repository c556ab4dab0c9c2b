import { operationById, rejections } from '@roster/contract';
import { withItsCase } from './name-case.ts';

const create = operationById('content_blocks.create');
if (!create) throw new Error('there is no content_blocks.create');

const answer = (status: number, message: string) => ({ status, body: JSON.stringify({ message }) });

describe('the answer of a worker', () => {
  it('gets the case and the remedy of its sentence', () => {
    const { status, message, remedy } = rejections.CONTENT_BLANK;
    expect(withItsCase(create, answer(status, message))).toEqual({
      ...answer(status, message),
      headers: { 'X-Roster-Error': 'CONTENT_BLANK', 'X-Roster-Remedy': remedy },
    });
  });

  it('stays as it is when it has its case, when no sentence fits, and when it is a success', () => {
    const named = { ...answer(400, 'no'), headers: { 'X-Roster-Error': 'BODY_INVALID' } };
    for (const same of [named, answer(400, 'something else'), answer(201, rejections.CONTENT_BLANK.message)])
      expect(withItsCase(create, same)).toBe(same);
  });
});

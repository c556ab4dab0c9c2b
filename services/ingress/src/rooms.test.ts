import { NoRoom } from './budget.ts';
import { createRooms } from './rooms.ts';

const mb = 1024 * 1024;

describe('the rooms of an ingress', () => {
  it('have 2,000 places to wait for a reply for a workspace, and as many for others', () => {
    const { waiting, used } = createRooms(64 * mb);
    const seats = Array.from({ length: 2000 }, () => waiting('loud'));
    expect(() => waiting('loud')).toThrow(NoRoom);
    expect(waiting('quiet')).toBeInstanceOf(Function);
    for (const leave of seats) leave();
    expect(used().waiting).toBe(1);
    expect(waiting('loud')).toBeInstanceOf(Function);
  });

  it('hold 72 MB of replies for a workspace, and as much for others', () => {
    const { replying, used } = createRooms(64 * mb);
    const free = replying('loud', 72 * mb);
    expect(() => replying('loud', 1)).toThrow(NoRoom);
    replying('quiet', 9 * mb);
    free();
    expect(used().replies).toBe(9 * mb);
  });
});

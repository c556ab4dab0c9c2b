import { createThrottle } from './throttle.ts';

const ip = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

describe('the throttle of sign-in', () => {
  it('still knows a name after 10,050 invented ones from one IP', () => {
    const throttle = createThrottle(() => 0);
    for (let tries = 0; tries < 10; tries++) throttle.mayTry({ ip: ip(tries), userName: 'ada' });
    for (let tries = 0; tries < 10_050; tries++)
      throttle.mayTry({ ip: '192.0.2.1', userName: `invented${tries}` });
    expect(throttle.mayTry({ ip: '192.0.2.2', userName: 'ada' })).toBe(false);
    expect(throttle.mayTry({ ip: '192.0.2.2', userName: 'bob' })).toBe(true);
  });

  it('refuses unknown keys when it is full, and forgets none', () => {
    const throttle = createThrottle(() => 0);
    for (let tries = 0; tries < 11; tries++) throttle.mayTry({ ip: ip(tries), userName: 'ada' });
    for (let tries = 0; tries < 20_000; tries++)
      throttle.mayTry({ ip: ip(100 + tries), userName: `invented${tries}` });
    expect(throttle.mayTry({ ip: ip(0), userName: 'ada' })).toBe(false);
    expect(throttle.mayTry({ ip: ip(99_999), userName: 'new' })).toBe(false);
  });

  it('has room again after six minutes', () => {
    let now = 0;
    const throttle = createThrottle(() => now);
    for (let tries = 0; tries < 20_000; tries++) throttle.mayTry({ ip: ip(tries), userName: `n${tries}` });
    now += 6 * 60_000;
    expect(throttle.mayTry({ ip: ip(99_999), userName: 'new' })).toBe(true);
  });

  it('counts the IPs of one IPv6 network together, and each letter case of a name', () => {
    const throttle = createThrottle(() => 0);
    for (let tries = 0; tries < 10; tries++)
      throttle.mayTry({ ip: `2001:db8::${tries}`, userName: `n${tries}` });
    expect(throttle.mayTry({ ip: '2001:db8:0:0:1:2:3:4', userName: 'new' })).toBe(false);
    expect(throttle.mayTry({ ip: '2001:db8:0:1::1', userName: 'new' })).toBe(true);
    for (let tries = 0; tries < 10; tries++) throttle.mayTry({ ip: ip(tries), userName: ' ADA ' });
    expect(throttle.mayTry({ ip: ip(11), userName: 'ada' })).toBe(false);
  });
});

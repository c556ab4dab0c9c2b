import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { createSignal, type NameReply, until, useFolder, useNameServer } from '@roster/testkit';
import { type Names, type NamesOptions, openNames } from './names.ts';

const anyTime = { ws: 'a', until: Number.POSITIVE_INFINITY };
const outOfReachMs = 600_000;

const server = useNameServer();
const at = useFolder({ forEach: true });
const opened: Names[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const write = (file: string, text: string): void => writeFileSync(at(file), text);

const open = (options: NamesOptions = {}): Names => {
  const names = openNames({
    servers: server.servers,
    families: () => [4, 6],
    hostsFile: at('hosts'),
    resolvFile: at('resolv.conf'),
    filesMs: 0,
    limitMs: outOfReachMs,
    otherFamilyMs: outOfReachMs,
    ...options,
  });
  opened.push(names);
  return names;
};

const ipsOf = async (names: Names, host: string, leave = anyTime): Promise<string[]> =>
  (await names.find(host, leave)).map(({ address }) => address);

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  return error?.code;
};

const ipv4 = (data = '192.0.2.1', ttl = 60): NameReply => ({ records: [{ type: 'A', data, ttl }] });
const nothing: NameReply = { records: [] };
const noSuchName: NameReply = { code: 3 };

const askedFor = (): string[] => [...new Set(server.asked.map(({ name }) => name))];

describe('a name', () => {
  it('has IPs of both versions, version 4 first', async () => {
    server.answer = ({ type }) =>
      type === 'A' ? ipv4() : { records: [{ type: 'AAAA', data: '2001:db8::1' }] };
    expect(await open().find('Shop.example', anyTime)).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  it('is not asked for by version 6 where the machine has none', async () => {
    server.answer = () => ipv4();
    await open({ families: () => [4] }).find('shop.example', anyTime);
    expect(server.asked.map(({ type }) => type)).toEqual(['A']);
  });

  it('is found though its name server is silent about one of the versions', async () => {
    server.answer = ({ type }) => (type === 'A' ? ipv4() : undefined);
    expect(await ipsOf(open({ otherFamilyMs: 1 }), 'shop.example')).toEqual(['192.0.2.1']);
  });

  it('is found by a chain of other names', async () => {
    server.answer = ({ type }) =>
      type === 'AAAA'
        ? nothing
        : {
            records: [
              { type: 'CNAME', data: 'b.example' },
              { name: 'b.example', type: 'CNAME', data: 'c.example' },
              { name: 'c.example', type: 'A', data: '192.0.2.7' },
            ],
          };
    expect(await ipsOf(open(), 'a.example')).toEqual(['192.0.2.7']);
  });

  it('whose answer was cut is asked for by TCP', async () => {
    server.answer = ({ via, type }) => {
      if (type === 'AAAA') return nothing;
      return via === 'udp' ? { truncated: true } : ipv4('192.0.2.8');
    };
    expect(await ipsOf(open(), 'shop.example')).toEqual(['192.0.2.8']);
    expect(server.asked.map(({ via }) => via)).toContain('tcp');
  });

  it('that many ask for is asked for once, and remembered', async () => {
    server.answer = ({ type }) => (type === 'A' ? ipv4() : nothing);
    const names = open();
    const callers = Array.from({ length: 50 }, (_, n) => ({ ...anyTime, ws: `w${n % 5}` }));
    await Promise.all(callers.map((leave) => ipsOf(names, 'shop.example', leave)));
    await ipsOf(names, 'SHOP.example');
    expect(server.asked).toHaveLength(2);
  });

  it('is asked for again when its time is over', async () => {
    server.answer = ({ type }) => (type === 'A' ? ipv4('192.0.2.1', 0) : nothing);
    const names = open({ leastMs: 0 });
    for (let n = 0; n < 2; n++) await ipsOf(names, 'shop.example');
    expect(server.asked).toHaveLength(4);
  });

  it('is remembered for a while, whatever its name server says, and not for ever', async () => {
    const weekSeconds = 604_800;
    for (const [ttl, options, questions] of [
      [0, {}, 1],
      [weekSeconds, { leastMs: 0, mostMs: 0 }, 2],
    ] as const) {
      server.asked.length = 0;
      server.answer = () => ipv4('192.0.2.1', ttl);
      const names = open({ ...options, families: () => [4] });
      for (let n = 0; n < 2; n++) await ipsOf(names, 'shop.example');
      expect(server.asked).toHaveLength(questions);
    }
  });
});

describe('no name server is asked', () => {
  it.each([
    ['192.0.2.9', ['192.0.2.9']],
    ['2001:db8::9', ['2001:db8::9']],
    ['localhost', ['127.0.0.1', '::1']],
    ['app.localhost', ['127.0.0.1', '::1']],
  ])('for %s', async (host, ips) => {
    expect(await ipsOf(open(), host)).toEqual(ips);
    expect(server.asked).toEqual([]);
  });

  it('for what ends in .invalid, which nobody has', async () => {
    expect(await codeOf(open().find('nobody.invalid', anyTime))).toBe('name_not_found');
    expect(server.asked).toEqual([]);
  });

  it('for names in the hosts file, which is read again when it has changed', async () => {
    write(
      'hosts',
      '# ours\n2001:db8::2 Mongo.internal\n10.0.0.2\tmongo.internal db # twice\n\nx mongo.internal\n',
    );
    const names = open();
    expect(await ipsOf(names, 'mongo.internal')).toEqual(['10.0.0.2', '2001:db8::2']);
    expect(await ipsOf(names, 'db')).toEqual(['10.0.0.2']);
    write('hosts', '10.0.0.33 mongo.internal db localhost');
    expect(await ipsOf(names, 'DB.')).toEqual(['10.0.0.33']);
    expect(await ipsOf(names, 'localhost')).toEqual(['10.0.0.33']);
    expect(server.asked).toEqual([]);
  });

  it('for localhost when the hosts file is none: a pipe would be read without an end', async () => {
    execFileSync('mkfifo', [at('hosts')]);
    expect(await ipsOf(open(), 'localhost')).toEqual(['127.0.0.1', '::1']);
  });

  it('for the first megabyte of the hosts file alone', async () => {
    const many = Array.from({ length: 50_000 }, (_, n) => `10.0.0.1 host-${n}.example`).join('\n');
    write('hosts', many);
    server.answer = () => noSuchName;
    const names = open();
    expect(await ipsOf(names, 'host-0.example')).toEqual(['10.0.0.1']);
    expect(await codeOf(names.find('host-49999.example', anyTime))).toBe('name_not_found');
  });
});

describe('a short name', () => {
  beforeEach(() => {
    server.answer = ({ name }) => (name.endsWith('.svc.cluster.local') ? ipv4('10.96.0.5') : noSuchName);
  });

  it.each([
    ['completed by the search domains', 'redis', '', ['redis.one.svc', 'redis.svc.cluster.local']],
    [
      'asked for as it is first, when it has a dot',
      'a.b',
      '',
      ['a.b', 'a.b.one.svc', 'a.b.svc.cluster.local'],
    ],
    ['completed first, below ndots', 'a.b', 'options ndots:5', ['a.b.one.svc', 'a.b.svc.cluster.local']],
  ])('is %s', async (_, host, options, questions) => {
    write('resolv.conf', `search old\n; x\nsearch one.svc svc.cluster.local.\n${options}\n`);
    expect(await ipsOf(open({ families: () => [4] }), host)).toEqual(['10.96.0.5']);
    expect(askedFor()).toEqual(questions);
  });

  it('with a dot at its end is whole', async () => {
    write('resolv.conf', 'search svc.cluster.local');
    expect(await codeOf(open().find('redis.', anyTime))).toBe('name_not_found');
    expect(askedFor()).toEqual(['redis']);
  });

  it('without search domains is asked for as it is, as Docker needs it', async () => {
    server.answer = ({ name }) => (name === 'mailhog' ? ipv4('172.18.0.4') : noSuchName);
    write('resolv.conf', 'nameserver 127.0.0.11\noptions ndots:0');
    expect(await ipsOf(open({ families: () => [4] }), 'mailhog')).toEqual(['172.18.0.4']);
  });
});

describe('a name server', () => {
  it('that is silent costs a look-up its time, and the name is not asked for again for a while', async () => {
    const names = open({ limitMs: 50 });
    expect(await codeOf(names.find('silent.example', anyTime))).toBe('name_timeout');
    await until(() => server.asked.length === 2);
    const again = await names.find('silent.example', { ...anyTime, ws: 'b' }).catch((error) => error);
    expect(again).toMatchObject({ code: 'name_timeout', afterMs: expect.any(Number) });
    expect(again.afterMs).toBeGreaterThan(0);
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['says that there is no such name', { code: 3 }, 'name_not_found'],
    ['says that it has no IP', nothing, 'name_not_found'],
    ['says that it cannot tell', { code: 2 }, 'name_failed'],
    ['refuses', { code: 5 }, 'name_failed'],
    ['leads in a circle', { records: [{ type: 'CNAME', data: 'shop.example' }] }, 'name_not_found'],
  ] as const)('that %s is believed for a while', async (_, reply, code) => {
    server.answer = () => reply;
    const names = open();
    for (let n = 0; n < 3; n++) expect(await codeOf(names.find('shop.example', anyTime))).toBe(code);
    const { length } = server.asked;
    server.answer = ({ type }) => (type === 'A' ? ipv4() : nothing);
    const forgetful = open({ faultMs: { name_not_found: 0, name_timeout: 0, name_failed: 0 } });
    server.answer = () => reply;
    await codeOf(forgetful.find('shop.example', anyTime));
    server.answer = ({ type }) => (type === 'A' ? ipv4() : nothing);
    expect(await ipsOf(forgetful, 'shop.example')).toEqual(['192.0.2.1']);
    expect(await codeOf(names.find('shop.example', anyTime))).toBe(code);
    expect(length).toBeLessThan(20);
  });

  it('whose chain of names has no end costs no more questions', async () => {
    let n = 0;
    server.answer = ({ name }) => ({
      records: Array.from({ length: 40 }, (_, at) => ({
        name: at === 0 ? name : `n${n + at}.example`,
        type: 'CNAME' as const,
        data: `n${++n + at}.example`,
      })),
    });
    expect(await codeOf(open().find('shop.example', anyTime))).toBe('name_not_found');
    expect(server.asked.length).toBeLessThan(20);
  });

  it.each([
    ['the number of another question', { ...ipv4('203.0.113.66'), id: 1 }],
    ['another name', { ...ipv4('203.0.113.66'), name: 'other.example' }],
  ])('that answers with %s is not heard', async (_, lie) => {
    server.answer = ({ type }) => (type === 'A' ? [lie, ipv4('192.0.2.3')] : nothing);
    expect(await ipsOf(open(), 'shop.example')).toEqual(['192.0.2.3']);
    // The control: the same answer, to this question.
    server.answer = ({ type }) => (type === 'A' ? [ipv4('203.0.113.66'), ipv4('192.0.2.3')] : nothing);
    expect(await ipsOf(open(), 'shop.example')).toEqual(['203.0.113.66']);
  });

  it('that sends thousands of IPs gives sixteen', async () => {
    const records = Array.from({ length: 2_000 }, (_, n) => ({
      type: 'A' as const,
      data: `192.0.${n >> 8}.${n & 255}`,
    }));
    server.answer = ({ via, type }) => {
      if (type === 'AAAA') return nothing;
      return via === 'udp' ? { truncated: true } : { records };
    };
    expect(await ipsOf(open(), 'shop.example')).toHaveLength(16);
  });

  it('that answers slowly is waited for', async () => {
    const { given, give } = createSignal();
    server.answer = async ({ type }) => {
      await given;
      return type === 'A' ? ipv4() : nothing;
    };
    const found = ipsOf(open(), 'shop.example');
    await until(() => server.asked.length >= 2);
    give();
    expect(await found).toEqual(['192.0.2.1']);
  });
});

describe('look-ups', () => {
  const silentFor = (pattern: RegExp): void => {
    server.answer = ({ name, type }) => {
      if (pattern.test(name)) return undefined;
      return type === 'A' ? ipv4() : nothing;
    };
  };

  const askSilent = (names: Names, ws: string, count: number): void => {
    for (let n = 0; n < count; n++)
      void names.find(`silent-${n}.${ws}.example`, { ...anyTime, ws }).catch(() => {});
  };

  const silentNames = (): string[] => askedFor().filter((name) => name.startsWith('silent'));

  it('of a workspace are four at a time, and others go past it', async () => {
    silentFor(/^silent/);
    const names = open();
    askSilent(names, 'a', 30);
    await until(() => silentNames().length === 4);
    expect(await ipsOf(names, 'shop.example', { ...anyTime, ws: 'b' })).toEqual(['192.0.2.1']);
    expect(silentNames()).toHaveLength(4);
  });

  it('stand in line when all places are taken by one workspace: the control', async () => {
    silentFor(/^silent/);
    const names = open({ inAll: 6, ofWorkspace: 6 });
    askSilent(names, 'a', 30);
    await until(() => silentNames().length >= 6);
    const soon = { ws: 'b', until: performance.now() + 50 };
    expect(await codeOf(names.find('shop.example', soon))).toBe('name_busy');
  });

  it('go on when the time of their caller is over, for the next try', async () => {
    const { given, give } = createSignal();
    server.answer = async ({ type }) => {
      await given;
      return type === 'A' ? ipv4() : nothing;
    };
    const names = open();
    const soon = () => ({ ws: 'a', until: performance.now() + 20 });
    expect(await codeOf(names.find('shop.example', soon()))).toBe('name_busy');
    give();
    expect(await until(() => ipsOf(names, 'shop.example', soon()).catch(() => undefined))).toEqual([
      '192.0.2.1',
    ]);
  });

  it('are remembered for a bounded number of names, those that were asked for last', async () => {
    silentFor(/^silent/);
    const names = open({ remembered: 2 });
    for (const host of ['a.example', 'b.example', 'a.example', 'c.example', 'a.example'])
      await ipsOf(names, host);
    expect(server.asked).toHaveLength(6);
    await ipsOf(names, 'b.example');
    expect(server.asked).toHaveLength(8);
  });

  it('need none of the threads of libuv, for which those of the system stand in line', async () => {
    silentFor(/^silent/);
    execFileSync('mkfifo', [at('pipe')]);
    const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
    // Each takes a thread until somebody writes.
    const readers = Array.from({ length: threads }, () => openFile(at('pipe'), 'r'));
    let isFoundBySystem = false;
    const bySystem = lookup('localhost').then(() => {
      isFoundBySystem = true;
    });
    const names = open();
    expect(await ipsOf(names, 'shop.example')).toEqual(['192.0.2.1']);
    // The control: it stands in line.
    expect(isFoundBySystem).toBe(false);
    const writer = openSync(at('pipe'), 'r+');
    for (const reader of readers) await (await reader).close();
    closeSync(writer);
    await bySystem;
  });

  it('end with their process', async () => {
    const names = open();
    const found = codeOf(names.find('silent.example', anyTime));
    await until(() => server.asked.length >= 2);
    names.close();
    expect(await found).toBe('name_timeout');
  });
});

describe('the look-up of a socket', () => {
  const lookUp = (host: string, options: object) =>
    new Promise((resolve) => open().lookupFor('a')(host, options, (...told) => resolve(told)));

  beforeEach(() => {
    server.answer = ({ type }) =>
      type === 'A' ? ipv4() : { records: [{ type: 'AAAA', data: '2001:db8::1' }] };
  });

  it.each([
    [{}, [null, '192.0.2.1', 4]],
    [{ family: 6 }, [null, '2001:db8::1', 6]],
    [{ family: 'IPv4', all: true }, [null, [{ address: '192.0.2.1', family: 4 }]]],
  ])('with %j gives %j', async (options, told) => {
    expect(await lookUp('shop.example', options)).toEqual(told);
  });

  it('takes IPs that were found a moment ago, which a message has waited for', async () => {
    server.answer = () => ipv4('192.0.2.1', 0);
    for (const [spareMs, questions] of [
      [outOfReachMs, 1],
      [0, 2],
    ] as const) {
      server.asked.length = 0;
      const names = open({ families: () => [4], leastMs: 0, spareMs });
      await names.find('shop.example', anyTime);
      await new Promise((resolve) => names.lookupFor('')('shop.example', {}, resolve));
      expect(server.asked).toHaveLength(questions);
    }
  });

  it('fails with the code of the name', async () => {
    server.answer = () => noSuchName;
    expect(await lookUp('shop.example', {})).toEqual([
      expect.objectContaining({ code: 'name_not_found', message: 'the host shop.example was not found' }),
      '',
      0,
    ]);
  });
});

import { cellsOf } from '@roster/records';
import { type CsvOptions, columnsOf, readCells, warningOf } from './csv-rows.ts';

const options = (changes: Partial<CsvOptions> = {}): CsvOptions => ({
  type: 'attributes',
  map: {},
  types: false,
  ...changes,
});
const entry = (header: string, row: string, changes: Partial<CsvOptions> = {}) => {
  const { columns, type } = columnsOf(cellsOf(header) ?? [], options(changes));
  const { entries, fault } = readCells(cellsOf(row) ?? [], columns, type);
  return fault?.code ?? entries[0]?.value;
};

describe('a row', () => {
  it.each<[string, string, string, object, Partial<CsvOptions>?]>([
    [
      'texts, without a word about types',
      'external_id,age,vip',
      '007,36,true',
      { external_id: '007', age: '36', vip: 'true' },
    ],
    [
      'a type behind a colon',
      'external_id,age:number,vip:boolean',
      '1,36,TRUE',
      { external_id: '1', age: 36, vip: true },
    ],
    ['JSON', 'external_id,tags:json', '1,"[""a"",""b""]"', { external_id: '1', tags: ['a', 'b'] }],
    [
      'JSON with long numbers',
      'external_id,id:json',
      '1,9007199254740993',
      { external_id: '1', id: 9007199254740993n },
    ],
    [
      'types by their looks',
      'external_id,phone,age,zip,vip,half',
      '1,49,36,01234,false,.5',
      { external_id: '1', phone: '49', age: 36, zip: '01234', vip: false, half: '.5' },
      { types: true },
    ],
    [
      'a text that looks like a number',
      'external_id,zip:text',
      '1,99',
      { external_id: '1', zip: '99' },
      { types: true },
    ],
    [
      'a number that would not be exact',
      'external_id,n',
      '1,12345678901234567890',
      { external_id: '1', n: '12345678901234567890' },
      { types: true },
    ],
    ['empty cells', 'external_id,a,b', '1,,x', { external_id: '1', b: 'x' }],
    [
      'other names',
      'Kundennr,Alter',
      '7,36',
      { external_id: '7', age: 36 },
      { map: { Kundennr: 'external_id', Alter: 'age:number' } },
    ],
    ['columns that are left out', 'external_id,note', '7,x', { external_id: '7' }, { map: { note: '' } }],
    [
      'an alias',
      'alias_label,alias_name,plan',
      'crm,7,pro',
      { user_alias: { alias_label: 'crm', alias_name: '7' }, plan: 'pro' },
    ],
    [
      'a flag',
      'external_id,_update_existing_only',
      '7,true',
      { external_id: '7', _update_existing_only: true },
    ],
    ['a colon that is no type', 'external_id,utm:source', '7,x', { external_id: '7', 'utm:source': 'x' }],
    ['an odd name', 'external_id,__proto__', '7,x', JSON.parse('{"external_id":"7","__proto__":"x"}')],
    ['a mark of the byte order', '\uFEFFexternal_id', '7', { external_id: '7' }],
    [
      'an event',
      'external_id,name,time,page',
      '7,opened,2026-01-31,home',
      { external_id: '7', name: 'opened', time: '2026-01-31', properties: { page: 'home' } },
      { type: 'event' },
    ],
    [
      'a purchase',
      'external_id,product_id,price,currency,time,quantity,size:number',
      '7,tea,4.5,EUR,2026-01-31,2,9',
      {
        external_id: '7',
        product_id: 'tea',
        price: 4.5,
        currency: 'EUR',
        time: '2026-01-31',
        quantity: 2,
        properties: { size: 9 },
      },
      { type: 'purchase' },
    ],
    [
      'an event, as its columns tell',
      'external_id,What,time,amount',
      '7,opened,2026-01-31,5',
      { external_id: '7', name: 'opened', time: '2026-01-31', properties: { amount: '5' } },
      { type: undefined, map: { What: 'name' } },
    ],
    [
      'a purchase of a product with a name, as its columns tell',
      'external_id,product_id,name,price,currency,time',
      '7,tea,Tea,4.5,EUR,2026-01-31',
      {
        external_id: '7',
        ...{ product_id: 'tea', price: 4.5, currency: 'EUR', time: '2026-01-31' },
        properties: { name: 'Tea' },
      },
      { type: undefined },
    ],
    [
      'attributes, as its columns tell',
      'external_id,name,amount',
      '7,Ada,5',
      { external_id: '7', name: 'Ada', amount: '5' },
      { type: undefined },
    ],
    [
      'attributes, whatever the columns tell',
      'external_id,name,time',
      '7,Ada,2026-01-31',
      { external_id: '7', name: 'Ada', time: '2026-01-31' },
    ],
  ])('of %s', (_, header, row, expected, changes = {}) => {
    expect(entry(header, row, changes)).toEqual(expected);
  });

  it.each([
    ['a,b', '1', 'CELLS_DO_NOT_MATCH'],
    ['a,b', '1,2,3', 'CELLS_DO_NOT_MATCH'],
    ['a:number', 'x', 'CELL_INVALID'],
    ['a:number', '0x10', 'CELL_INVALID'],
    ['a:boolean', 'maybe', 'CELL_INVALID'],
    ['a:json', '{', 'CELL_INVALID'],
    ['a:json', '[1e400]', 'CELL_INVALID'],
    ['a:date', '05/11/2024', 'CELL_INVALID'],
    ['a:date', '5-11-2024', 'CELL_INVALID'],
    ['a:date', '21/12/2024', 'CELL_INVALID'],
    ['a:date-dmy', '12/21/2024', 'CELL_INVALID'],
    ['a:date-mdy', '21/12/2024', 'CELL_INVALID'],
    ['a:date-dmy', '30/02/2024', 'CELL_INVALID'],
    ['a:date-dmy', '05/11/2024 13:00 PM', 'CELL_INVALID'],
  ])('is refused when it does not fit: %s, %s', (header, row, code) => {
    expect(entry(header, row)).toBe(code);
  });
});

describe('a date', () => {
  const dateOf = (cell: string, type: string) => entry(`external_id,a:${type}`, `7,${cell}`);
  it.each([
    ['date', '29.11.2024', '2024-11-29'],
    ['date', '11/29/2024', '2024-11-29'],
    ['date', '04/04/2024', '2024-04-04'],
    ['date', '2024-11-29', '2024-11-29'],
    ['date-dmy', '05/11/2024', '2024-11-05'],
    ['date-dmy', ' 5-11-2024', '2024-11-05'],
    ['date-dmy', '5.11.2024', '2024-11-05'],
    ['date-dmy', '05/11/2024 9:05', '2024-11-05T09:05'],
    ['date-dmy', '2024-11-05T00:00:00Z', '2024-11-05T00:00:00Z'],
    ['date-mdy', '05/11/2024', '2024-05-11'],
    ['date-mdy', '5/11/2024 12:30:01 am', '2024-05-11T00:30:01'],
  ])('as %s of %s', (type, cell, text) => {
    expect(dateOf(cell, type)).toEqual({ external_id: '7', a: text });
  });

  it('that may be two days names the types that say which', () => {
    const { columns, type } = columnsOf(['external_id', 'born'], options({ typed: { born: 'date' } }));
    expect(readCells(['7', '05/11/2024'], columns, type).fault?.sentence).toBe(
      'born is 05/11/2024: --types born=date-dmy reads the day first, --types born=date-mdy the month',
    );
  });
});

describe('the columns', () => {
  it.each([
    [['a', 'a'], {}, /a is there more than once: rename one of its columns/],
    [['a', 'b'], { b: 'a' }, /a is there more than once/],
    [['a', 'b'], { c: 'd' }, /no column c; there are a, b/],
    [[''], {}, /must name the columns/],
  ])('must make sense: %j', (header, map, problem) => {
    expect(columnsOf(header, options({ map })).problems.join()).toMatch(problem);
  });

  const problems = (header: string, changes: Partial<CsvOptions> = {}) =>
    columnsOf(cellsOf(header) ?? [], options(changes)).problems;

  it.each<[string, Record<string, string>, string]>([
    ['Nr,email', { Nr: 'externalid' }, '--map Nr=externalid: did you mean external_id?'],
    ['Nr,email', { Nr: 'externl_id' }, 'did you mean external_id?'],
    ['Nr,email', { Nr: 'Email:text' }, 'did you mean email?'],
    ['ExternalId,plan', {}, "Did you mean --map 'ExternalId=external_id'?"],
    ['Customer no,plan', {}, 'no column says whose the rows are'],
  ])('%s with %j are refused', (header, map, text) => {
    expect(problems(header, { map }).join()).toContain(text);
  });

  it.each([
    ['external_id,plan'],
    ['email,externalid'],
    ['alias_label,alias_name'],
    ['push_tokens:json,plan'],
  ])('%s are taken', (header) => {
    expect(problems(header)).toEqual([]);
  });

  it.each([
    ['email,plan', true],
    ['external_id,email', false],
    ['service_id,phone', false],
  ])('%s are warned of where people are known by a contact only', (header, isWarned) => {
    const { columns } = columnsOf(cellsOf(header) ?? [], options());
    expect(warningOf(columns) !== undefined).toBe(isWarned);
  });

  it.each<[string, string | undefined]>([
    [
      'external_id,E-Mail,First Name,Plan,Price',
      "If the fields are meant: --map 'E-Mail=email' --map 'First Name=first_name'",
    ],
    ['external_id,email,First Name:text', undefined],
    ['external_id,plan,price', undefined],
  ])('of %s those are told whose names are almost those of fields', (header, told) => {
    const warned = warningOf(columnsOf(cellsOf(header) ?? [], options()).columns);
    expect(warned?.slice(warned.indexOf('If the'))).toBe(told);
  });
});

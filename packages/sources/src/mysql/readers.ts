/** How the texts that MySQL and MariaDB send become plain values, by type. */
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import type { Reader } from '../sql/rows.ts';
import type { TableColumn } from './table.ts';

/** What has no zone is taken for UTC. The zero date stays a text. */
const moment: Reader = (text) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text) && !text.includes('-00')
    ? `${text.replace(' ', 'T')}Z`
    : text;

const flag: Reader = (text) => (text === '0' || text === '1' ? text === '1' : Number(text));

const readers: Readonly<Record<string, Reader>> = {
  tinyint: Number,
  smallint: Number,
  mediumint: Number,
  int: Number,
  year: Number,
  bigint: wholeNumber,
  bit: wholeNumber,
  float: anyNumber,
  double: anyNumber,
  decimal,
  datetime: moment,
  timestamp: moment,
  json: (text) => JSON.parse(text),
};

export const readerOf = ({ type, kind }: TableColumn): Reader =>
  type === 'tinyint(1)' || type === 'bit(1)' ? flag : (readers[kind] ?? ((text) => text));

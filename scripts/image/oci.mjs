// An image as a folder in the form of OCI (image-spec 1.1): blobs by their digest, and an index.
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './commands.mjs';

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};

const architectures = { x64: 'amd64', arm64: 'arm64' };

const digestOf = async (file) => {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece);
  return `sha256:${hash.digest('hex')}`;
};

const blobs = (out) => join(out, 'blobs/sha256');
const blobOf = (out, digest) => join(blobs(out), digest.replace('sha256:', ''));

/** Takes the place of the file. */
const addFile = async (out, file, mediaType) => {
  const digest = await digestOf(file);
  const { size } = statSync(file);
  renameSync(file, blobOf(out, digest));
  return { mediaType, digest, size };
};

const addJson = (out, value, mediaType) => {
  const file = join(out, 'part.json');
  writeFileSync(file, JSON.stringify(value));
  return addFile(out, file, mediaType);
};

/** The same files give the same layer: sorted, without times and owners. */
const tarArguments = [
  '--sort=name',
  '--mtime=@0',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--format=posix',
];
const noTimes = '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime';

const addLayer = async (out, folder, { paths, without = [] }) => {
  const tar = join(out, 'part.tar');
  const excluded = without.map((path) => `--exclude=./${path}`);
  await must('tar', ['-C', folder, ...tarArguments, noTimes, ...excluded, '-cf', tar, ...paths]);
  const diffId = await digestOf(tar);
  await must('gzip', ['-n', '-6', tar]);
  return { diffId, layer: await addFile(out, `${tar}.gz`, types.layer) };
};

/** Layers with what changes least come first. Returns the digest of the manifest. */
export const writeLayout = async (out, folder, { config, layers, name }) => {
  mkdirSync(blobs(out), { recursive: true });
  const made = [];
  for (const layer of layers) made.push(await addLayer(out, folder, layer));
  const image = {
    architecture: architectures[process.arch],
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: made.map(({ diffId }) => diffId) },
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: await addJson(out, image, types.config),
    layers: made.map(({ layer }) => layer),
  };
  const described = await addJson(out, manifest, types.manifest);
  const annotations = { 'org.opencontainers.image.ref.name': name };
  const index = { schemaVersion: 2, mediaType: types.index, manifests: [{ ...described, annotations }] };
  writeFileSync(join(out, 'index.json'), JSON.stringify(index));
  writeFileSync(join(out, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  return described.digest;
};

/** Reads a blob only if it is what its digest says. */
const checked = async (out, { digest, size }) => {
  const file = blobOf(out, digest);
  if (statSync(file).size !== size || (await digestOf(file)) !== digest)
    throw new Error(`${digest} is damaged`);
  return file;
};

const readJson = async (out, described) => JSON.parse(readFileSync(await checked(out, described), 'utf8'));

/** Unpacks the layers, as an engine does; returns the configuration. */
export const unpackLayout = async (out, folder) => {
  const { manifests } = JSON.parse(readFileSync(join(out, 'index.json'), 'utf8'));
  const manifest = await readJson(out, manifests[0]);
  const { config, rootfs } = await readJson(out, manifest.config);
  if (rootfs.diff_ids.length !== manifest.layers.length)
    throw new Error('the configuration has other layers');
  mkdirSync(folder, { recursive: true });
  for (const layer of manifest.layers)
    await must('tar', ['-C', folder, '--same-owner', '-xpzf', await checked(out, layer)]);
  return config;
};

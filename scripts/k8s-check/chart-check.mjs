// Whether the Helm chart gives the same objects as kustomize: with its defaults, with all components, and with the values of an installation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuiet } from '../processes.mjs';
import { chartObjects, comparable, everyComponent, makeChart } from './chart.mjs';
import { objectsIn } from './render.mjs';

/** What `overlays/production` changes, as values. */
const ofProduction = {
  image: 'registry.example.com/roster:0.1.0',
  gatewayClassName: 'istio',
  components: { gateway: true, metrics: true, keda: true },
  hostnames: { roster: 'roster.example.org', pages: 'preferences.example.org' },
  maxReplicas: { track: 12 },
  variables: {
    ingress: { TRUSTED_PROXIES: '10.42.0.0/16' },
    pages: { TRUSTED_PROXIES: '10.42.0.0/16' },
    links: { PAGES_URL: 'https://preferences.example.org' },
    scim: { PUBLIC_URL: 'https://roster.example.org' },
  },
};

const shown = (text) => {
  const { kind, metadata } = JSON.parse(text);
  return `${kind} ${metadata.name}`;
};

const differences = (objects, expected) => {
  const [ours, theirs] = [comparable(objects), comparable(expected)];
  return [
    ...theirs
      .filter((one) => !ours.includes(one))
      .map((one) => `${shown(one)} is not as kustomize renders it`),
    ...ours
      .filter((one) => !theirs.includes(one))
      .map((one) => `${shown(one)} is only in the chart like this`),
  ];
};

/** What comes after the chart in the commands of a page. */
const settingsIn = (calls) =>
  calls.flatMap(([program, ...args]) => {
    const place = args.indexOf('release/chart');
    return program === 'helm' && place >= 0 ? [args.slice(place + 1)] : [];
  });

export const faultsOfChart = async ({ folder, tools, calls, renderWith, production }) => {
  const found = await chartObjects(renderWith);
  makeChart(folder, '0.1.0', found);
  writeFileSync(join(folder, '..', 'production.json'), JSON.stringify(ofProduction));
  const helm = (...args) => runQuiet(tools.helm, args);
  const template = async (...args) => {
    const { code, output } = await helm('template', 'roster', folder, '--namespace', 'roster', ...args);
    return code === 0 ? objectsIn(output) : output.trim();
  };
  const compared = async (name, expected, ...args) => {
    const objects = await template(...args);
    if (typeof objects === 'string') return [`${name}: ${objects}`];
    const still = objects.filter(
      ({ kind, spec }) =>
        kind === 'Deployment' && !spec.template.metadata.annotations?.['checksum/variables'],
    );
    return [
      ...still.map(({ metadata }) => `${metadata.name} does not notice other variables`),
      ...differences(objects, expected),
    ].map((fault) => `${name}: ${fault}`);
  };
  const lint = await helm('lint', '--strict', folder);
  const documented = await Promise.all(
    settingsIn(calls).map(async (settings) => {
      const objects = await template(...settings);
      return typeof objects === 'string' ? [`${settings.join(' ')}: ${objects}`] : [];
    }),
  );
  const elsewhere = await template('--set-string', 'variables.common.LOG_LEVEL=debug');
  const refused = await Promise.all(
    ['misspelt=1', 'variables.common.ADMIN_PORT=9091'].map(async (value) =>
      typeof (await template('--set', value)) === 'string' ? [] : `control: --set ${value} is not refused`,
    ),
  );
  return [
    ...(lint.code === 0 ? [] : [lint.output.trim()]),
    ...(await compared('defaults', found.bare)),
    ...(await compared('all components', found.full, '--set', everyComponent)),
    ...(await compared('production', production, '--values', join(folder, '..', 'production.json'))),
    ...(differences(elsewhere, found.bare).length > 0 ? [] : ['control: another value is not noticed']),
    ...(documented.length > 0 ? documented.flat() : ['k8s/README.md does not install it']),
    ...refused.flat(),
  ].map((fault) => `Helm chart: ${fault}`);
};

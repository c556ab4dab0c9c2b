// node scripts/dashboard.mjs [--check]: writes the Grafana dashboard from observe/panels.mjs, or tells whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../observe/panels.mjs';
import { root } from './processes.mjs';

const file = 'observe/grafana/roster.json';
const datasource = { type: 'prometheus', uid: 'roster-prometheus' };
/** Of the 24 columns of Grafana. */
const size = { w: 8, h: 7 };
const inRow = 24 / size.w;

const target = ([legendFormat, expr], index) => ({
  refId: String.fromCharCode(65 + index),
  datasource,
  expr,
  legendFormat,
});

const panelOf = ({ title, why, unit = 'short', max, series }, place) => ({
  type: 'timeseries',
  title,
  ...(why && { description: why }),
  datasource,
  gridPos: place,
  fieldConfig: {
    defaults: {
      unit,
      min: 0,
      ...(max !== undefined && { max }),
      custom: { fillOpacity: 8, showPoints: 'never' },
    },
    overrides: [],
  },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: Object.entries(series).map(target),
});

const rowOf = (title, y) => ({
  type: 'row',
  title,
  collapsed: false,
  panels: [],
  gridPos: { x: 0, y, w: 24, h: 1 },
});

const panels = () => {
  let y = 0;
  return Object.entries(rows).flatMap(([title, own]) => {
    const top = y + 1;
    const row = rowOf(title, y);
    y = top + Math.ceil(own.length / inRow) * size.h;
    const placed = own.map((panel, index) =>
      panelOf(panel, { x: (index % inRow) * size.w, y: top + Math.floor(index / inRow) * size.h, ...size }),
    );
    return [row, ...placed];
  });
};

const dashboard = () => ({
  uid: 'roster',
  title: 'Roster',
  tags: ['roster'],
  schemaVersion: 39,
  version: 1,
  editable: false,
  refresh: '15s',
  time: { from: 'now-1h', to: 'now' },
  timezone: 'browser',
  templating: { list: [] },
  annotations: {
    list: [
      {
        name: 'Alerts',
        datasource,
        enable: true,
        iconColor: 'red',
        expr: 'ALERTS{alertname=~"Roster.*", alertstate="firing"}',
        titleFormat: '{{alertname}}',
        textFormat: '{{severity}}',
      },
    ],
  },
  panels: panels().map((panel, index) => ({ id: index + 1, ...panel })),
});

const text = `${JSON.stringify(dashboard(), null, 2)}\n`;
const path = join(root, file);
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  console.error(`${file} is out of date: npm run docs`);
  process.exitCode = 1;
}

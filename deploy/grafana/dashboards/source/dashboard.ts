/** The specification of a dashboard, and its translation to Grafana's provisioning format. */
import { datasource, type PanelSpec, toPanel } from './panel.ts';

export interface DashboardSpec {
  uid: string;
  title: string;
  description: string;
  variables: Variable[];
  rows: Row[];
}

export interface Row {
  title: string;
  /** In Grafana's units of 30 pixels; 8 by default. */
  height?: number;
  panels: PanelSpec[];
}

/** A drop-down list with the values that a label has on this metric. */
export interface Variable {
  name: string;
  metric: string;
}

const columns = 24;

export function toDashboard({ uid, title, description, variables, rows }: DashboardSpec): object {
  return {
    uid,
    title,
    description,
    tags: ['gavel'],
    schemaVersion: 39,
    editable: false,
    graphTooltip: 1,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    links: [{ type: 'dashboards', title: 'Gavel', tags: ['gavel'], asDropdown: false, keepTime: true }],
    templating: { list: variables.map(toVariable) },
    panels: layOut(rows),
  };
}

const toVariable = ({ name, metric }: Variable) => ({
  name,
  label: name,
  type: 'query',
  datasource,
  query: { query: `label_values(${metric}, ${name})`, refId: name },
  definition: `label_values(${metric}, ${name})`,
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
});

function layOut(rows: readonly Row[]): object[] {
  const panels: object[] = [];
  let top = 0;
  for (const { title, height = 8, panels: specs } of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: top++, w: columns, h: 1 },
    });
    let x = 0;
    for (const spec of specs) {
      if (x + spec.width > columns) {
        x = 0;
        top += height;
      }
      panels.push(toPanel(spec, panels.length + 1, { x, y: top, w: spec.width, h: height }));
      x += spec.width;
    }
    top += height;
  }
  return panels;
}

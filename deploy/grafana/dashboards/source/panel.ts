/** The specification of a panel, and its translation to Grafana's JSON. */

export interface Query {
  expr: string;
  legend: string;
}

export interface PanelSpec {
  title: string;
  /** Explains the metric and its healthy range; Grafana shows it as a tooltip. */
  description: string;
  unit: Unit;
  queries: Query[];
  kind?: 'graph' | 'stat' | 'states';
  /** Out of 24 columns. */
  width: number;
  /** Dashed lines in a graph. In a stat, the thresholds from which it is red, or below which with `lowIsBad`. */
  lines?: Line[];
  lowIsBad?: boolean;
  stacked?: boolean;
  /** Texts and colours for the values of a `states` panel. */
  names?: Record<number, { text: string; color: string }>;
  /** Fixed colours by legend. */
  colours?: Record<string, string>;
}

export interface Line {
  at: number;
  colour: string;
}

/** Unit ids of Grafana; `short` is a plain number. */
export type Unit = 's' | 'reqps' | 'ops' | 'percentunit' | 'short' | 'bytes';

export const datasource = { type: 'prometheus', uid: 'prometheus' };

const transparent = 'transparent';

export function toPanel(spec: PanelSpec, id: number, gridPos: object): object {
  return {
    id,
    type: { graph: 'timeseries', stat: 'stat', states: 'state-timeline' }[spec.kind ?? 'graph'],
    title: spec.title,
    description: spec.description,
    datasource,
    gridPos,
    targets: spec.queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat: legend,
      editorMode: 'code',
      range: true,
    })),
    ...looks[spec.kind ?? 'graph'](spec),
  };
}

const looks = {
  graph: ({ unit, lines = [], stacked, colours = {} }: PanelSpec) => ({
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: {
          drawStyle: 'line',
          lineWidth: 1,
          fillOpacity: stacked ? 30 : 0,
          showPoints: 'never',
          stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
          thresholdsStyle: { mode: lines.length > 0 ? 'dashed' : 'off' },
        },
        thresholds: steps(transparent, lines),
      },
      overrides: Object.entries(colours).map(([name, fixedColor]) => ({
        matcher: { id: 'byName', options: name },
        properties: [{ id: 'color', value: { mode: 'fixed', fixedColor } }],
      })),
    },
    options: {
      legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['lastNotNull', 'max'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  }),

  stat: ({ unit, lines = [], lowIsBad }: PanelSpec) => ({
    fieldConfig: {
      defaults: {
        unit,
        thresholds: steps(
          lowIsBad ? 'red' : 'green',
          lines.map(({ at }) => ({ at, colour: lowIsBad ? 'green' : 'red' })),
        ),
      },
      overrides: [],
    },
    options: {
      colorMode: 'background',
      graphMode: 'area',
      textMode: 'auto',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    },
  }),

  states: ({ unit, lines = [], names }: PanelSpec) => ({
    fieldConfig: {
      defaults: {
        unit,
        custom: { fillOpacity: 70, lineWidth: 0 },
        thresholds: steps('green', lines),
        mappings: names ? [{ type: 'value', options: names }] : [],
      },
      overrides: [],
    },
    options: {
      mergeValues: true,
      rowHeight: 0.9,
      showValue: 'auto',
      legend: { displayMode: 'list', placement: 'bottom', showLegend: false },
    },
  }),
};

const steps = (base: string, lines: readonly Line[]) => ({
  mode: 'absolute',
  steps: [{ color: base, value: null }, ...lines.map(({ at, colour }) => ({ color: colour, value: at }))],
});

/** What all dashboards have in common: choices on top, links, alerts as marks in the plots. */
import {
  type AnnotationQuery,
  DashboardCursorSync,
  type DashboardLink,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/schema';
import type { ClosedRow, KeywellDashboard, KeywellPanel } from './model.js';
import { PROMETHEUS } from './panels.js';

/** Grafana's grid is 24 wide. */
const GRID_WIDTH = 24;

/** Panels side by side, equally wide. */
export interface Row {
  height: number;
  panels: KeywellPanel[];
}

const dataSource: VariableModel = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
  refresh: VariableRefresh.onDashboardLoad,
};

/** A choice among the values that a label of a metric has. */
function labelValues(name: string, label: string, query: string): VariableModel {
  return {
    name,
    label,
    type: 'query',
    datasource: PROMETHEUS,
    query: { query, refId: name },
    refresh: VariableRefresh.onTimeRangeChanged,
    sort: VariableSort.alphabeticalAsc,
  };
}

export const job: VariableModel = labelValues(
  'job',
  'Job',
  'label_values(keywell_build_info, job)',
);

export const keySpec: VariableModel = {
  ...labelValues(
    'key_spec',
    'Kind of key',
    'label_values(keywell_pool_keys{job="$job"}, key_spec)',
  ),
  multi: true,
  includeAll: true,
  current: { text: ['All'], value: ['$__all'] },
};

export const instance: VariableModel = {
  ...labelValues(
    'instance',
    'Instance',
    'label_values(keywell_build_info{job="$job"}, instance)',
  ),
  multi: true,
  includeAll: true,
  current: { text: ['All'], value: ['$__all'] },
};

const toTheOthers: DashboardLink = {
  type: 'dashboards',
  title: 'Keywell',
  tags: ['keywell'],
  asDropdown: false,
  includeVars: true,
  keepTime: true,
  targetBlank: false,
  icon: 'external link',
  tooltip: '',
};

/** The fields of a Prometheus annotation, which the schema package has no type for. */
interface PrometheusAnnotation extends AnnotationQuery {
  expr: string;
  titleFormat: string;
  textFormat: string;
  step: string;
}

const alerts: PrometheusAnnotation = {
  name: 'Alerts',
  datasource: PROMETHEUS,
  enable: true,
  iconColor: 'red',
  expr: 'ALERTS{alertstate="firing", alertname=~"Keywell.*"}',
  titleFormat: '{{alertname}}',
  textFormat: '{{severity}} {{instance}} {{key_spec}} {{limit}} {{reason}}',
  step: '15s',
};

/** All panels of a dashboard, those of closed rows included. */
export function panelsOf(dashboard: KeywellDashboard): KeywellPanel[] {
  return dashboard.panels.flatMap(panel => (panel.type === 'row' ? panel.panels : [panel]));
}

/**
 * Lays the rows out from the top, and numbers the panels.
 *
 * @param closed what only some services have: below the others, under a title
 */
export function dashboard(
  about: { uid: string; title: string; description: string },
  variables: VariableModel[],
  rows: Row[],
  ...closed: { title: string; rows: Row[] }[]
): KeywellDashboard {
  let y = 0;
  let id = 0;
  const laidOut = (row: Row): KeywellPanel[] => {
    const w = GRID_WIDTH / row.panels.length;
    const placed = row.panels.map((panel, column) => {
      const gridPos = { x: column * w, y, w, h: row.height };
      return { id: ++id, ...panel, gridPos };
    });
    y += row.height;
    return placed;
  };
  const panels: (KeywellPanel | ClosedRow)[] = rows.flatMap(laidOut);
  for (const { title, rows: inside } of closed) {
    const gridPos = { x: 0, y: y++, w: GRID_WIDTH, h: 1 };
    const row = { type: 'row' as const, id: ++id, title, collapsed: true as const, gridPos };
    panels.push({ ...row, panels: inside.flatMap(laidOut) });
  }
  return {
    ...about,
    tags: ['keywell'],
    // Grafana of 2025; later ones convert it when they load it.
    schemaVersion: 41,
    editable: false,
    graphTooltip: DashboardCursorSync.Crosshair,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    links: [toTheOthers],
    annotations: { list: [alerts] },
    templating: { list: [dataSource, ...variables] },
    panels,
  };
}

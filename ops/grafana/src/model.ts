/** Grafana's types, tied together: which options and which field settings belong to which panel. */
import type {
  Dashboard,
  DataQuery,
  DataSourceRef,
  FieldConfig,
  FieldConfigSource,
  GraphFieldConfig,
  Panel,
  RowPanel,
} from '@grafana/schema';
import type { Options as BarGaugeOptions } from '@grafana/schema/dist/esm/raw/composable/bargauge/panelcfg/x/BarGaugePanelCfg_types.gen';
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type {
  FieldConfig as StateTimelineField,
  Options as StateTimelineOptions,
} from '@grafana/schema/dist/esm/raw/composable/statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen';
import type { Options as TimeSeriesOptions } from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

/** What Grafana's Prometheus data source takes; the schema package has no type for it. */
export interface PrometheusQuery extends DataQuery {
  expr: string;
  legendFormat: string;
  instant: boolean;
  range: boolean;
  editorMode: 'code';
}

/** Grafana's own type lets any misspelt field pass as custom. */
interface Fields<Custom> extends Omit<FieldConfigSource, 'defaults'> {
  defaults: Omit<FieldConfig, 'custom'> & { custom?: Custom };
}

interface PanelOf<Type extends string, Options, Field>
  extends Omit<Panel, 'type' | 'options' | 'fieldConfig' | 'targets'> {
  type: Type;
  title: string;
  description: string;
  datasource: DataSourceRef;
  options: Partial<Options>;
  fieldConfig: Fields<Field>;
  targets: PrometheusQuery[];
}

export type StatPanel = PanelOf<'stat', StatOptions, never>;
export type BarGaugePanel = PanelOf<'bargauge', BarGaugeOptions, never>;
export type TimeSeriesPanel = PanelOf<'timeseries', TimeSeriesOptions, GraphFieldConfig>;
export type StateTimelinePanel = PanelOf<'state-timeline', StateTimelineOptions, StateTimelineField>;

export type KeywellPanel = StatPanel | BarGaugePanel | TimeSeriesPanel | StateTimelinePanel;

/** A row with its panels, closed at first: Grafana runs their queries once it is opened. */
export interface ClosedRow extends Omit<RowPanel, 'panels'> {
  collapsed: true;
  title: string;
  panels: KeywellPanel[];
}

export interface KeywellDashboard extends Omit<Dashboard, 'panels'> {
  uid: string;
  title: string;
  panels: (KeywellPanel | ClosedRow)[];
}

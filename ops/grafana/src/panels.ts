/** The few kinds of panels that Keywell's dashboards are made of. */
import {
  AxisColorMode,
  BarGaugeDisplayMode,
  BarGaugeNamePlacement,
  BarGaugeSizing,
  BarGaugeValueMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  type DataSourceRef,
  FieldColorModeId,
  type FieldConfig,
  type GraphFieldConfig,
  GraphDrawStyle,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LineInterpolation,
  ScaleDistribution,
  SortOrder,
  StackingMode,
  type Threshold,
  ThresholdsMode,
  TooltipDisplayMode,
  type ValueMapping,
  VisibilityMode,
  VizOrientation,
} from '@grafana/schema';
import type {
  BarGaugePanel,
  PrometheusQuery,
  StatPanel,
  StateTimelinePanel,
  TimeSeriesPanel,
} from './model.js';

/** Chosen on the dashboard, so that it works with any Prometheus that has the data. */
export const PROMETHEUS: DataSourceRef = { type: 'prometheus', uid: '${datasource}' };

/** A query and the name of its series: text with `{{label}}`. */
export interface Series {
  expr: string;
  legend: string;
}

interface Question {
  /** A question that the panel answers. */
  title: string;
  description: string;
  /** Grafana's name of the unit, such as `s`, `percentunit`, `reqps`. */
  unit: string;
}

/** Colours by value: the first holds from minus infinity on, each other one from its value on. */
export function colours(first: string, ...others: [from: number, colour: string][]): Threshold[] {
  return [{ value: null, color: first }, ...others.map(([value, color]) => ({ value, color }))];
}

function oneLine(expr: string): string {
  return expr.replace(/\s+/g, ' ').trim();
}

function queries(series: Series[], instant: boolean): PrometheusQuery[] {
  return series.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: PROMETHEUS,
    expr: oneLine(expr),
    legendFormat: legend,
    instant,
    range: !instant,
    editorMode: 'code',
  }));
}

interface CurrentValue extends Question {
  series: Series[];
  steps: Threshold[];
  mappings?: ValueMapping[];
  decimals?: number;
  /** What is shown where there is no value. */
  noValue?: string;
  max?: number;
}

function currentField(value: CurrentValue): Omit<FieldConfig, 'custom'> {
  return {
    unit: value.unit,
    color: { mode: FieldColorModeId.Thresholds },
    thresholds: { mode: ThresholdsMode.Absolute, steps: value.steps },
    mappings: value.mappings ?? [],
    noValue: value.noValue ?? 'no data',
    ...(value.decimals === undefined ? {} : { decimals: value.decimals }),
    ...(value.max === undefined ? {} : { min: 0, max: value.max }),
  };
}

/** The value of this moment, large, on its colour. */
export function stat(value: CurrentValue): StatPanel {
  return {
    type: 'stat',
    title: value.title,
    description: value.description,
    datasource: PROMETHEUS,
    targets: queries(value.series, true),
    fieldConfig: { defaults: currentField(value), overrides: [] },
    options: {
      colorMode: BigValueColorMode.Background,
      graphMode: BigValueGraphMode.None,
      justifyMode: BigValueJustifyMode.Center,
      orientation: VizOrientation.Auto,
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      textMode: BigValueTextMode.Auto,
    },
  };
}

/** Values of this moment against their maximum. */
export function barGauge(value: CurrentValue & { max: number }): BarGaugePanel {
  return {
    type: 'bargauge',
    title: value.title,
    description: value.description,
    datasource: PROMETHEUS,
    targets: queries(value.series, true),
    fieldConfig: { defaults: currentField(value), overrides: [] },
    options: {
      displayMode: BarGaugeDisplayMode.Basic,
      namePlacement: BarGaugeNamePlacement.Auto,
      orientation: VizOrientation.Horizontal,
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      showUnfilled: true,
      sizing: BarGaugeSizing.Auto,
      valueMode: BarGaugeValueMode.Color,
    },
  };
}

interface Course extends Question {
  series: Series[];
  /** Lines across the plot, each in its colour; the first colour has none. */
  limits?: Threshold[];
  min?: number;
  max?: number;
  stacked?: boolean;
  logarithmic?: boolean;
  /** Series that are limits themselves, by the end of their names: thin, dashed, grey. */
  limitSeries?: string;
}

/** The course of values over time. */
export function timeSeries(course: Course): TimeSeriesPanel {
  const custom: GraphFieldConfig = {
    drawStyle: GraphDrawStyle.Line,
    lineInterpolation: LineInterpolation.Linear,
    lineWidth: 2,
    fillOpacity: course.stacked ? 40 : 0,
    showPoints: VisibilityMode.Never,
    spanNulls: false,
    axisColorMode: AxisColorMode.Text,
    stacking: { mode: course.stacked ? StackingMode.Normal : StackingMode.None },
    scaleDistribution: course.logarithmic
      ? { type: ScaleDistribution.Log, log: 10 }
      : { type: ScaleDistribution.Linear },
    thresholdsStyle: {
      mode: course.limits ? GraphThresholdsStyleMode.Dashed : GraphThresholdsStyleMode.Off,
    },
  };
  return {
    type: 'timeseries',
    title: course.title,
    description: course.description,
    datasource: PROMETHEUS,
    targets: queries(course.series, false),
    fieldConfig: {
      defaults: {
        unit: course.unit,
        color: { mode: FieldColorModeId.PaletteClassicByName },
        thresholds: { mode: ThresholdsMode.Absolute, steps: course.limits ?? colours('green') },
        custom,
        ...(course.min === undefined ? {} : { min: course.min }),
        ...(course.max === undefined ? {} : { max: course.max }),
      },
      overrides: course.limitSeries === undefined ? [] : [asLimit(course.limitSeries)],
    },
    options: {
      legend: {
        calcs: ['lastNotNull', 'max'],
        displayMode: LegendDisplayMode.Table,
        placement: 'bottom',
        showLegend: true,
      },
      tooltip: { mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending },
    },
  };
}

function asLimit(name: string) {
  return {
    matcher: { id: 'byRegexp', options: `/${name}$/` },
    properties: [
      { id: 'color', value: { mode: FieldColorModeId.Fixed, fixedColor: 'text' } },
      { id: 'custom.lineStyle', value: { fill: 'dash', dash: [6, 6] } },
      { id: 'custom.lineWidth', value: 1 },
    ],
  };
}

interface States extends Question {
  series: Series[];
  steps: Threshold[];
  /** Colours of single series, by their names. */
  exceptions: Record<string, Threshold[]>;
}

/** What was the case when: a strip for each series, coloured by its value. */
export function stateTimeline(states: States): StateTimelinePanel {
  return {
    type: 'state-timeline',
    title: states.title,
    description: states.description,
    datasource: PROMETHEUS,
    targets: queries(states.series, false),
    fieldConfig: {
      defaults: {
        unit: states.unit,
        color: { mode: FieldColorModeId.Thresholds },
        thresholds: { mode: ThresholdsMode.Absolute, steps: states.steps },
        custom: { fillOpacity: 80, lineWidth: 0 },
      },
      overrides: Object.entries(states.exceptions).map(([name, steps]) => ({
        matcher: { id: 'byName', options: name },
        properties: [{ id: 'thresholds', value: { mode: ThresholdsMode.Absolute, steps } }],
      })),
    },
    options: {
      mergeValues: true,
      rowHeight: 0.9,
      showValue: VisibilityMode.Never,
      legend: {
        calcs: [],
        displayMode: LegendDisplayMode.List,
        placement: 'bottom',
        showLegend: false,
      },
      tooltip: { mode: TooltipDisplayMode.Single, sort: SortOrder.None },
    },
  };
}

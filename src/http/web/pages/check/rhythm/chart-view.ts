/** The chart selected on a check's page, as represented in the page's URL. */
import type { RhythmView } from '../../../../../services/overview/check-page.ts'

export interface ChartView extends RhythmView {
  /** `when` shows the runs' times, `took` their durations */
  readonly chart: 'when' | 'took'
}

/** Parses the view in a URL. Falls back to the default for unknown values. */
export function readChartView(query: URLSearchParams): ChartView {
  const tz = query.get('tz')
  return {
    chart: query.get('chart') === 'took' ? 'took' : 'when',
    days: query.get('days') === '90' ? 90 : 30,
    isWhole: query.get('hours') === '24',
    zone: tz === 'utc' || tz === 'reader' ? tz : 'check',
  }
}

/** Returns a query such as `chart=took` or `days=90&tz=utc`; '' for the default view. */
export function chartQuery({ chart, days, isWhole, zone }: ChartView): string {
  return new URLSearchParams({
    ...(chart === 'took' ? { chart } : {}),
    ...(days === 90 ? { days: '90' } : {}),
    ...(isWhole ? { hours: '24' } : {}),
    ...(zone === 'check' ? {} : { tz: zone }),
  }).toString()
}

/** Returns the options for the rhythm; null if the page shows another chart. */
export function rhythmOf(view: ChartView): RhythmView | null {
  return view.chart === 'when' ? view : null
}

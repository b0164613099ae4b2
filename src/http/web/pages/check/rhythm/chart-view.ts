/** The chart of its runs that the page of a check shows, as its address says. */
import type { RhythmView } from '../../../../../services/overview/check-page.ts'

export interface ChartView extends RhythmView {
  /** when runs came, or how long they took */
  readonly chart: 'when' | 'took'
}

/** Anything else means what is shown by default. */
export function readChartView(query: URLSearchParams): ChartView {
  const tz = query.get('tz')
  return {
    chart: query.get('chart') === 'took' ? 'took' : 'when',
    days: query.get('days') === '90' ? 90 : 30,
    isWhole: query.get('hours') === '24',
    zone: tz === 'utc' || tz === 'reader' ? tz : 'check',
  }
}

/** `chart=took`, `days=90&tz=utc`; '' for what is shown by default */
export function chartQuery({ chart, days, isWhole, zone }: ChartView): string {
  return new URLSearchParams({
    ...(chart === 'took' ? { chart } : {}),
    ...(days === 90 ? { days: '90' } : {}),
    ...(isWhole ? { hours: '24' } : {}),
    ...(zone === 'check' ? {} : { tz: zone }),
  }).toString()
}

/** The view of the rhythm; null if it isn't shown. */
export function rhythmOf(view: ChartView): RhythmView | null {
  return view.chart === 'when' ? view : null
}

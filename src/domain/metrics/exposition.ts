/**
 * Formats metrics in version 0.0.4 of Prometheus' text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
 */
import type { HistogramCounts } from '../../lib/figures/histogram.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A sample's labels. The names come from this program and don't need to be escaped, but values may be user input. */
export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
}

interface HistogramSample {
  readonly labels?: Labels
  readonly value: HistogramCounts
}

/** A metric with all its samples. */
export type Family = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
  | { readonly type: 'histogram'; readonly samples: readonly HistogramSample[] }
)

/** Formats metrics in the given order, without empty lines between them. */
export function formatFamilies(families: readonly Family[]): string {
  return families.map(formatFamily).join('')
}

function formatFamily(family: Family): string {
  return formatHead(family) + formatSamples(family)
}

/** Formats the lines that precede a metric's samples. */
export function formatHead({ name, help, type }: Pick<Family, 'name' | 'help' | 'type'>): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`
}

/** Formats only the samples, so that a caller can combine the samples from several calls under one heading. */
export function formatSamples(family: Family): string {
  const { name } = family
  const lines =
    family.type === 'histogram'
      ? family.samples.map((sample) => formatHistogram(name, sample))
      : family.samples.map(
          ({ labels = {}, value }) => `${name}${braced(formatLabels(labels))} ${formatNumber(value)}\n`,
        )
  return lines.join('')
}

/** Formats a histogram. Each bucket's count includes the smaller buckets. */
function formatHistogram(name: string, { labels = {}, value: { bounds, counts, sum } }: HistogramSample): string {
  const own = formatLabels(labels)
  const before = own === '' ? '' : `${own},`
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    const bound = formatNumber(bounds[index] ?? Number.POSITIVE_INFINITY)
    return `${name}_bucket{${before}le="${bound}"} ${total}\n`
  })
  return `${buckets.join('')}${name}_sum${braced(own)} ${formatNumber(sum)}\n${name}_count${braced(own)} ${total}\n`
}

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

/** Escapes a label's value. The caller adds the quotes. */
export function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

function escapeHelp(text: string): string {
  return text.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'))
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}

/** Sentences that are shown below search results. */
import type { Instant } from '../../lib/time.ts'
import type { Sentence } from '../words/sentence-parts.ts'

/** Returns a sentence such as `Nothing found in 1 check and 2,118 pings.` */
export function nothingFound({ checks, pings }: { readonly checks: number; readonly pings: number }): string {
  return `Nothing found in ${counted(checks, 'check')} and ${counted(pings, 'ping')}.`
}

function counted(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`
}

interface NamedProject {
  readonly project: { readonly name: string }
}

interface SearchProgress {
  /** time at which the oldest unindexed ping arrived; null if all pings are indexed */
  readonly unreadSince: Instant | null
  readonly reread: readonly NamedProject[]
  readonly unsearched: readonly NamedProject[]
}

/** Returns a sentence for each reason why some data was not searched or has not been indexed yet. */
export function progressSentences({ unreadSince, reread, unsearched }: SearchProgress): readonly Sentence[] {
  return [
    ...(unreadSince === null
      ? []
      : [['The newest output is not indexed yet: its oldest part arrived ', { ago: unreadSince }, '.'] as const]),
    ...named('Earlier output is being indexed again in: ', reread),
    ...named('Job output is not indexed in: ', unsearched),
  ]
}

function named(begin: string, places: readonly NamedProject[]): readonly Sentence[] {
  if (places.length === 0) return []
  const names = places.flatMap(({ project }, index) => [...(index > 0 ? [', '] : []), { name: project.name }])
  return [[begin, ...names, '.']]
}

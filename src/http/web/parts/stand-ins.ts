/** What other modules will bring: views of checks, strips of runs, sentences, schedules in words. */
import type { Check } from '../../../domain/check/check.ts'
import type { ShownState } from '../../../domain/check/shown.ts'
import type { Instant } from '../../../lib/time.ts'
import { durationWords } from '../browser/words.ts'

export interface CheckView {
  readonly check: Check
  readonly channelIds: readonly string[]
  readonly state: ShownState
  readonly expected: Instant | null
  readonly trouble: null
}

export function publicIdOf(check: Check): string {
  return check.badgeKey.replaceAll('-', '').slice(0, 8)
}

export function stripTextOf(_check: Check): string {
  return ''
}

export function stripWordsOf(_check: Check): string {
  return 'ok'
}

export function sentenceWords(view: CheckView): string | null {
  return view.state === 'down' ? 'No ping came in time.' : null
}

export function scheduleWords(check: Check): { words: string; expression: string | null } {
  if (check.kind !== 'simple') return { words: check.schedule, expression: check.schedule }
  return { words: `Every ${durationWords(check.timeoutSeconds)}`, expression: null }
}

/** What other modules will bring: strips of runs, sentences, schedules in words. */
import type { Check } from '../../../domain/check/check.ts'
import type { CheckView } from '../../../domain/check/check-view.ts'
import { durationWords } from '../browser/words.ts'

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

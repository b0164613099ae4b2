/** Tests a check's rules on a sample ping, using the same function that classifies real pings. */
import { classify, type KeywordRule, type PingRules, SEARCHED_BYTES, type Verdict } from './classify.ts'
import type { Action } from './signal.ts'

export type Sample =
  | { readonly via: 'http'; readonly method: string; readonly action: Action; readonly body: string }
  | { readonly via: 'email'; readonly subject: string; readonly body: string }

export interface Trial {
  readonly verdict: Verdict
  /** line with the keyword that determined the result; null if no keyword did */
  readonly found: FoundLine | null
  /** true if the body is too long to be searched entirely, so the rest may contain keywords */
  readonly isCut: boolean
}

export interface FoundLine {
  readonly part: KeywordRule['part']
  /** line number within its part, starting at 1 */
  readonly line: number
  /** text that precedes the keyword on the same line */
  readonly before: string
  readonly word: string
  readonly after: string
}

export function tryRules(rules: PingRules, sample: Sample): Trial {
  if (sample.via === 'email') {
    const { subject, body } = sample
    const verdict = classify(rules, {
      action: 'success',
      method: '',
      searched: null,
      contentType: null,
      mail: { subject, body },
    })
    return { verdict, found: foundLine(verdict, sample), isCut: false }
  }
  const { method, action } = sample
  // Decoding removes the byte order mark.
  const body = sample.body.replace(/^\ufeff/, '')
  const searched = new TextEncoder().encode(body)
  // A ping with an empty body is treated like a ping without a body.
  const given = { searched: searched.length === 0 ? null : searched, contentType: null }
  const verdict = classify(rules, { action, method, ...given, mail: null })
  const isCut = verdict.by.name === 'no-keyword' && searched.length > SEARCHED_BYTES
  return { verdict, found: foundLine(verdict, { subject: '', body }), isCut }
}

function foundLine({ by }: Verdict, texts: { readonly subject: string; readonly body: string }): FoundLine | null {
  if (by.name !== 'keyword') return null
  const { part, at, word } = by
  const text = texts[part]
  const end = at + word.length
  const from = text.lastIndexOf('\n', at - 1) + 1
  const until = text.indexOf('\n', end)
  return {
    part,
    line: text.slice(0, at).split('\n').length,
    before: text.slice(from, at),
    word,
    after: text.slice(end, until < 0 ? undefined : until),
  }
}

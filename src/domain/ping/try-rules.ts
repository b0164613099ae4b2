/** Tries the rules of a check on a made-up ping, with the function that judges real pings. */
import { classify, type KeywordRule, type PingRules, SEARCHED_BYTES, type Verdict } from './classify.ts'
import type { Action } from './signal.ts'

export type Sample =
  | { readonly via: 'http'; readonly method: string; readonly action: Action; readonly body: string }
  | { readonly via: 'email'; readonly subject: string; readonly body: string }

export interface Trial {
  readonly verdict: Verdict
  /** the line that contains the deciding keyword; null if no keyword decided */
  readonly found: FoundLine | null
  /** true: the part of the body that is not searched may contain keywords */
  readonly isCut: boolean
}

export interface FoundLine {
  readonly part: KeywordRule['part']
  /** line number in the part, from 1 */
  readonly line: number
  /** text of the line before and after the keyword */
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
  // An empty body never arrives as a body.
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

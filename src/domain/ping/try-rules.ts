/** Tries the rules of a check on a ping that somebody made up. The ping is judged by the same function as real ones. */
import { classify, type KeywordRule, type PingRules, SEARCHED_BYTES, type Verdict } from './classify.ts'
import type { Action } from './signal.ts'

export type Sample =
  | { readonly via: 'http'; readonly method: string; readonly action: Action; readonly body: string }
  | { readonly via: 'email'; readonly subject: string; readonly body: string }

export interface Trial {
  readonly verdict: Verdict
  /** the line in which the deciding keyword stands; null when no keyword decided */
  readonly found: FoundLine | null
  /** true: keywords may stand in the part of the body that is not searched */
  readonly isCut: boolean
}

export interface FoundLine {
  readonly part: KeywordRule['part']
  /** of the part, 1 for its first one */
  readonly line: number
  /** what stands in the line before and after the keyword */
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
  // What is decoded loses its byte order mark.
  const body = sample.body.replace(/^\ufeff/, '')
  const searched = new TextEncoder().encode(body)
  // An empty body never arrives.
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

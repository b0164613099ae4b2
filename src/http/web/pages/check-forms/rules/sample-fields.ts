/** The fields of a sample ping for testing a check's rules. */
import type { Sample } from '../../../../../domain/ping/try-rules.ts'
import { within } from '../../../../../lib/text/text.ts'
import { parsePingPath } from '../../../../ping/ping-path.ts'
import type { Form } from '../../../form.ts'
import { type Html, html } from '../../../html.ts'
import { selectField, textField } from '../../../parts/forms/fields.ts'
import { choice } from './fields.ts'

/** The values that the user typed into the form. */
export interface SampleValues {
  readonly via: Sample['via']
  readonly method: string
  /** suffix of the ping URL, one of {@link ENDS} */
  readonly end: string
  readonly subject: string
  /** request body, or email text */
  readonly text: string
  /** true to test the rules as if the check were paused */
  readonly isPaused: boolean
}

const METHODS = ['POST', 'GET', 'HEAD', 'PUT'] as const

/** Suffixes of a ping URL, and their labels. */
const ENDS = [
  ['', 'nothing'],
  ['/start', '/start'],
  ['/fail', '/fail'],
  ['/log', '/log'],
  ['/0', '/0'],
  ['/1', '/1, or another exit status'],
] as const

const SUBJECT_LIMIT = 1_000
/**
 * Maximum length of the body. It is longer than the part of a real ping that the server searches, but short enough to search for hundreds
 * of keywords while the user types.
 */
export const TEXT_LIMIT = 20_000

export function readSample(form: Form): SampleValues {
  const { text } = form
  return {
    via: text('via') === 'email' ? 'email' : 'http',
    method: METHODS.find((method) => method === text('method')) ?? METHODS[0],
    end: ENDS.find(([end]) => end === text('end'))?.[0] ?? '',
    subject: text('subject').slice(0, SUBJECT_LIMIT).toWellFormed(),
    text: within(text('text').replaceAll('\r\n', '\n'), TEXT_LIMIT),
    isPaused: form.has('paused'),
  }
}

/** @param id the check's id */
export function sampleOf({ via, method, end, subject, text }: SampleValues, id: string): Sample {
  if (via === 'email') return { via, subject, body: text }
  const path = parsePingPath(id + end)
  return { via, method, action: path.kind === 'target' ? path.action : 'success', body: text }
}

export function sampleFields({ via, method, end, subject, text, isPaused }: SampleValues): Html {
  return html`${choice('via', 'Source', via, [
    ['http', 'A request'],
    ['email', 'An email'],
  ])}
<div class="of-http two">${selectField({ name: 'method', label: 'Method', value: method, options: METHODS.map((each) => [each, each]) })}
${selectField({ name: 'end', label: 'URL suffix', value: end, options: ENDS })}</div>
<div class="of-email">${textField({ name: 'subject', label: 'Subject', value: subject, maxLength: SUBJECT_LIMIT })}</div>
<div class="field"><label for="text"><span class="of-http">Body of the request</span><span class="of-email">Text of the email</span></label><textarea class="mono" id="text" name="text" rows="6" maxlength="${TEXT_LIMIT}" spellcheck="false" autocapitalize="none" dir="auto">
${text}</textarea></div>
<label class="pick"><input type="checkbox" name="paused" value="on"${isPaused && html` checked`}>while the check is paused</label>`
}

/** Rejected requests and emails whose ping URL or address identifies a check: the recorded data, and the sentences that explain them. */
import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import { withoutPingSecrets } from '../redaction.ts'
import type { Sentence } from '../words/sentence-parts.ts'

/** A check's rejected requests, each within {@link REFUSED_SECONDS} of the previous one. */
export interface RefusedSignals {
  readonly n: number
  /**
   * The part of the last request that was wrong. In most cases, it is the end of the URL after the check's UUID or slug, such as
   * `/3221225477`, `/FAIL`, `?rid=7`, `?at=noon` or `/silence?for=20`. If the slug has capitals or several checks share it, it is the slug
   * itself. `//` if there are two slashes before the slug. '' if the UUID was not in canonical form. For an email, it is {@link
   * REFUSED_MAIL} and the part after the UUID or slug, such as `+fail`, or a wrong domain, such as `@example.org`. See {@link refusedTail}
   */
  readonly lastTail: string
  readonly lastAt: Instant
}

/** How long rejected requests are shown, in seconds after the last one. */
export const REFUSED_SECONDS = 86_400

/** Prefix that marks the stored tail of a rejected email. The tail of a ping URL never begins with it. */
export const REFUSED_MAIL = 'mailto:'

/** Maximum length of a stored tail, in UTF-16 code units. */
const TAIL_LIMIT = 40
/**
 * Length of the text to search for secrets, in UTF-16 code units. It is longer than the stored tail, so that a secret that begins just
 * before the limit is found.
 */
const TAIL_READ = 200

/** Returns the part of `lastTail` to store. The text is untrusted, because anyone can send it. */
export function refusedTail(text: string): string {
  const shown = withoutPingSecrets(storable(text.slice(0, TAIL_READ)), text.length > TAIL_READ ? 'start' : 'all')
  return shown.length > TAIL_LIMIT ? `${shown.slice(0, TAIL_LIMIT - 1).toWellFormed()}…` : shown
}

/** Returns a sentence such as `The exit status 3221225477 was refused at 03:12: only 0 to 255 count. Send /fail for it.` */
export function refusedSentence({ n, lastTail, lastAt }: RefusedSignals): Sentence {
  const { what, advice } = meaningOf(lastTail)
  if (n === 1) return ['The ', ...what, ' was refused ', { at: lastAt }, `: ${advice}`]
  return [`Pings were refused ${timesWords(n)}, last `, { at: lastAt }, ' for the ', ...what, `: ${advice}`]
}

function timesWords(n: number): string {
  return n === 2 ? 'twice' : `${n.toLocaleString('en')} times`
}

interface Meaning {
  /** text to insert after "the" */
  readonly what: Sentence
  readonly advice: string
}

const STATUS = /^\/([-+]?\d+…?)\/*$/
const RID = /^\?rid=(.*)$/s
const AT = /^\?at=(.*)$/s
const SILENCE = /^\/silence(?:\?(.*))?$/s
const SLUG = /^[-\w]*…?$/

const AT_ADVICE =
  'at must be milliseconds since 1970, or a time with its zone, at most 72 hours before the ping arrives.'

const SILENCE_ADVICE =
  'write /silence?for=20m, with s, m, h or d, from one minute to 30 days, or /silence?until=healthy.'

function meaningOf(tail: string): Meaning {
  if (tail.startsWith(REFUSED_MAIL)) return meaningOfMail(tail.slice(REFUSED_MAIL.length))
  if (tail === '')
    return { what: ['UUID of a ping URL'], advice: 'write it right after /ping/, in lower case and with hyphens.' }
  if (tail === '//') return { what: ['double slash in a ping URL'], advice: 'write a single one.' }
  const status = refusedStatus(tail)
  if (status !== null) {
    return { what: ['exit status ', { name: status }], advice: 'only 0 to 255 count. Send /fail for it.' }
  }
  const rid = RID.exec(tail)?.[1]
  if (rid !== undefined) return { what: ['run id ', { quote: rid }], advice: 'a run id must be a UUID with hyphens.' }
  const at = AT.exec(tail)?.[1]
  if (at !== undefined) return { what: ['time ', { quote: at }, ' of a late ping'], advice: AT_ADVICE }
  const silence = SILENCE.exec(tail)
  if (silence !== null) {
    const [, asked = ''] = silence
    return { what: ['silence ', ...(asked === '' ? ['without an end'] : [{ quote: asked }])], advice: SILENCE_ADVICE }
  }
  if (SLUG.test(tail)) return { what: ['slug ', { quote: tail }], advice: slugAdvice(tail) }
  return { what: ['ending ', { quote: tail }, ' of a ping URL'], advice: endingAdvice(tail) }
}

/** Returns the exit status that was rejected; null if the request was rejected for another reason. */
export function refusedStatus(tail: string): string | null {
  const status = STATUS.exec(tail)?.[1]
  return status === undefined || isExitStatus(status) ? null : status
}

function meaningOfMail(wrong: string): Meaning {
  if (wrong === '')
    return { what: ['UUID of an email address'], advice: 'write it with hyphens, and nothing before it.' }
  if (wrong.startsWith('@'))
    return {
      what: ['domain ', { quote: wrong.slice(1) }, ' of an email'],
      advice: 'copy the address from the check page.',
    }
  const advice =
    'leave it out. The rules of the check say which keywords in the subject or the text mark a start or a failure.'
  return { what: ['ending ', { quote: wrong }, ' of an email address'], advice }
}

function slugAdvice(slug: string): string {
  if (slug !== slug.toLowerCase()) return 'write it in lower case.'
  return 'several checks share it. Give each a slug of its own, or ping by UUID.'
}

function isExitStatus(digits: string): boolean {
  return /^\d+$/.test(digits) && Number(digits) <= 255
}

const WORDS: readonly string[] = ['start', 'fail', 'log', 'silence', 'unsilence']
/** Words that other services' clients send, and words that users might guess. */
const OTHER_WORDS: Readonly<Record<'start' | 'success' | 'fail', readonly string[]>> = {
  start: ['started', 'starting', 'begin', 'run', 'running', 'in_progress'],
  success: [
    'success',
    'succeeded',
    'successful',
    'ok',
    'done',
    'up',
    'ping',
    'end',
    'stop',
    'finish',
    'finished',
    'complete',
    'completed',
    'pass',
  ],
  fail: ['failed', 'failure', 'error', 'err', 'down', 'abort', 'aborted', 'crash', 'timeout'],
}

function endingAdvice(tail: string): string {
  const [word = '', ...more] = decoded(tail).match(/[-\w]+|\$/g) ?? []
  if (word === '') return 'leave it out.'
  const small = more.length === 0 ? word.toLowerCase() : ''
  if (WORDS.includes(small) || isExitStatus(small)) {
    return small === word ? `write /${word} and nothing else.` : `write it in lower case: /${small}.`
  }
  if (OTHER_WORDS.success.includes(small)) return 'leave it out: the URL for a success has no ending.'
  if (OTHER_WORDS.start.includes(small)) return 'write /start.'
  if (OTHER_WORDS.fail.includes(small)) return 'write /fail.'
  return 'only /start, /fail, /log, /silence, /unsilence or an exit status may follow; the URL for a success has no ending.'
}

function decoded(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** Requests whose ping URL names a check, but says what no check understands: what is kept of them, and the words about it. */
import { storable } from '../../lib/text.ts'
import type { Instant } from '../../lib/time.ts'
import { withoutPingSecrets } from '../redaction.ts'
import type { Sentence } from './sentence-parts.ts'

/** Refused requests of a check, each of them within {@link REFUSED_SECONDS} of the one before. */
export interface RefusedSignals {
  readonly n: number
  /** of the last one, see {@link refusedTail} */
  readonly lastTail: string
  readonly lastAt: Instant
}

/** They are shown for so long after the last one. */
export const REFUSED_SECONDS = 86_400

/** UTF-16 units of a tail that are kept. */
const TAIL_LIMIT = 40
/** Enough to see a secret that begins before the limit. */
const TAIL_READ = 200

/**
 * What stood behind the address of a check, such as `/3221225477`, `/FAIL`, `?rid=7`; or a slug that has capitals; '' if a UUID
 * has them. Anybody may have written it.
 */
export function refusedTail(text: string): string {
  const shown = withoutPingSecrets(storable(text.slice(0, TAIL_READ)), text.length > TAIL_READ ? 'start' : 'all')
  return shown.length > TAIL_LIMIT ? `${shown.slice(0, TAIL_LIMIT - 1).toWellFormed()}…` : shown
}

/** `The exit status 3221225477 was refused at 03:12: only 0 to 255 count. Send /fail for it.` */
export function refusedSentence({ n, lastTail, lastAt }: RefusedSignals): Sentence {
  const { what, why } = meaningOf(lastTail)
  if (n === 1) return ['The ', ...what, ' was refused ', { at: lastAt }, `: ${why}`]
  return [`Pings were refused ${timesWords(n)}, last `, { at: lastAt }, ' for the ', ...what, `: ${why}`]
}

function timesWords(n: number): string {
  return n === 2 ? 'twice' : `${n.toLocaleString('en')} times`
}

interface Meaning {
  /** after "the" */
  readonly what: Sentence
  readonly why: string
}

const STATUS = /^\/([-+]?\d+…?)\/*$/
const RID = /^\?rid=(.*)$/s
const WORDS: readonly string[] = ['start', 'fail', 'log']

function meaningOf(tail: string): Meaning {
  if (tail === '') return { what: ['UUID in capitals'], why: 'it is written in small letters.' }
  const status = STATUS.exec(tail)?.[1]
  if (status !== undefined && !isExitStatus(status)) {
    return { what: ['exit status ', { name: status }], why: 'only 0 to 255 count. Send /fail for it.' }
  }
  const rid = RID.exec(tail)?.[1]
  if (rid !== undefined) return { what: ['run id ', { quote: rid }], why: 'a run id is a UUID.' }
  if (!tail.startsWith('/')) return { what: ['slug ', { quote: tail }], why: 'slugs are written in small letters.' }
  return { what: ['ending ', { quote: tail }, ' of a ping URL'], why: endingWords(tail) }
}

function isExitStatus(digits: string): boolean {
  return /^\d+$/.test(digits) && Number(digits) <= 255
}

function endingWords(tail: string): string {
  const word = tail.replace(/^\/+/, '').replace(/\/{1,40}$/, '')
  const small = word.toLowerCase()
  if (WORDS.includes(small) && small !== word) return `it is written in small letters: /${small}.`
  if (WORDS.includes(word) || isExitStatus(word)) return `write /${word}, with nothing behind it.`
  return 'only /start, /fail, /log or an exit status may follow the address; for a success nothing does.'
}

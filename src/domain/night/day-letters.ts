/**
 * Encodes a check's last 24 hours as a string with one letter per quarter hour. Lists show it as a strip. `r`: ran, `s`: took longer than
 * usual, `L`: late, `F`: failed, `M`: missing, `m`: missing and still silent, `n`: running, `p`: paused, `.`: nothing.
 */
import { MINUTE } from '../units.ts'
import { outcomeWords, pauseWords } from './outcome-words.ts'
import type { Comb, NightRow } from './row.ts'
import type { NightSlot } from './slots.ts'
import type { NightWindow } from './window.ts'

const QUARTER = 15 * MINUTE

/** Letters in order of precedence. Each letter overrides the ones before it. */
const RANKS = '.pnrsLMmF'

/** Returns the number of quarter hours since 1970. In every time zone, each full hour starts on a quarter-hour boundary. */
export function quarterOf(at: number): number {
  return Math.floor(at / QUARTER)
}

/**
 * Returns the letters from the start of the window to the quarter hour that contains `now`.
 * @param row its check may be newer than its runs if only pings have arrived since the runs were read
 */
export function dayLetters(row: NightRow, window: Pick<NightWindow, 'from'>, now: number): string {
  const canvas = new Canvas(window.from, now)
  if (row.comb) paintComb(canvas, row, row.comb)
  else for (const slot of row.slots) paintSlot(canvas, slot, row.grace)
  for (const { from, until } of row.pauses) canvas.paint('p', from, until)
  if (row.runningSince !== null) canvas.paint('n', row.runningSince, now)
  paintLastPing(canvas, row)
  return canvas.text
}

class Canvas {
  readonly #letters: string[]
  readonly #first: number

  constructor(from: number, now: number) {
    this.#first = quarterOf(from)
    this.#letters = Array.from({ length: Math.max(0, quarterOf(now) - this.#first + 1) }, () => '.')
  }

  get text(): string {
    return this.#letters.join('')
  }

  /**
   * Writes a letter over a period of time.
   * @param until exclusive; if equal to `from`, one quarter hour is filled
   */
  paint(letter: string, from: number, until: number): void {
    const end = Math.max(quarterOf(from) + 1, Math.ceil(until / QUARTER))
    this.#change(quarterOf(from), end, (old) => (RANKS.indexOf(letter) > RANKS.indexOf(old) ? letter : old))
  }

  /** Clears the quarter hours that lie entirely within the period. */
  clear(from: number, until: number): void {
    this.#change(Math.ceil(from / QUARTER), quarterOf(until), () => '.')
  }

  #change(from: number, until: number, change: (old: string) => string): void {
    const end = Math.min(until - this.#first, this.#letters.length)
    for (let index = Math.max(0, from - this.#first); index < end; index += 1) {
      this.#letters[index] = change(this.#letters[index] ?? '.')
    }
  }
}

function paintSlot(canvas: Canvas, { at, outcome, run }: NightSlot, grace: number): void {
  if (outcome === 'missing') canvas.paint('M', at, at + grace)
  if (run === null) return
  const letter = { ran: 'r', slow: 's', late: 'L', failed: 'r', missing: 'M' }[run.kind]
  canvas.paint(letter, run.began, run.ended)
  if (run.kind === 'failed') canvas.paint('F', run.ended, run.ended)
}

/** Paints a job that runs more than once an hour: as having run throughout, except during silences, failures and pauses. */
function paintComb(canvas: Canvas, { pauses }: NightRow, { since, silences, runs, failed, isAhead }: Comb): void {
  if (isAhead) return
  if (runs > 0) canvas.paint('r', since, Number.POSITIVE_INFINITY)
  for (const { from, until } of pauses) canvas.clear(from, until)
  for (const { from, until } of silences) canvas.paint(Number.isFinite(until) ? 'M' : 'm', from, until)
  for (const at of failed) canvas.paint('F', at, at)
}

/** Paints the last ping, even if it arrived after the row was created. */
function paintLastPing(canvas: Canvas, { check: { status, lastPingAt, lastSuccessAt } }: NightRow): void {
  if (lastPingAt === null || status === 'new' || status === 'paused') return
  const at = lastPingAt.epochMilliseconds
  canvas.paint(lastSuccessAt?.epochMilliseconds === at ? 'r' : 'F', at, at)
}

/** Describes the last 24 hours briefly, such as `failed 07:15`. @param tz IANA name */
export function dayWords(row: NightRow, now: number, tz: string): string {
  if (row.slots.length > 0 || row.comb) return outcomeWords(row, now, tz)
  return pauseWords(row, tz) || (row.check.status === 'paused' ? 'paused' : 'nothing was due')
}

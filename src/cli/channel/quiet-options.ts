/** Reads the quiet-hours options of `overdue channel create` and `overdue channel set`. */
import type { Channel } from '../../domain/channel/channel.ts'
import { readTypedWindow, type TypedWindow } from '../../domain/silence/typed-window.ts'
import type { Instant } from '../../lib/time.ts'
import type { Values } from '../command.ts'
import { optionError } from '../usage.ts'

const HELP = 'see `overdue channel set --help`'
const OPTIONS = ['from', 'until', 'tz'] as const satisfies readonly (keyof TypedWindow)[]

/**
 * Returns the change to a channel's quiet hours. The change is empty if no quiet-hours option is given. @throws Refusal `option-invalid`
 */
export function quietChange(values: Values, now: Instant): Partial<Pick<Channel, 'quietHours'>> {
  const { 'quiet-from': from, 'quiet-until': until, 'quiet-tz': tz, 'no-quiet-hours': isNone } = values
  const isGiven = [from, until, tz].some((value) => value !== undefined)
  if (isNone === true) {
    if (isGiven) throw optionError('--no-quiet-hours cannot be combined with other quiet-hours options', HELP)
    return { quietHours: null }
  }
  if (!isGiven) return {}
  const typed = { from: String(from ?? ''), until: String(until ?? ''), tz: String(tz ?? 'UTC') }
  const { window, mistakes } = readTypedWindow(typed, now)
  if (window !== null) return { quietHours: { ...window, upTo: 'down' } }
  const name = OPTIONS.find((option) => mistakes[option] !== undefined) ?? 'from'
  const what = typed[name] === '' ? 'is missing' : `${typed[name]} is not valid`
  throw optionError(`--quiet-${name} ${what}`, mistakes[name] ?? HELP)
}

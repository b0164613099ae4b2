/** Formats quiet hours as readable text. */
import { periodInWords } from '../duration.ts'
import { describe } from '../schedule/schedule.ts'
import { endOfDay } from '../silence/typed-window.ts'
import { windowWords } from '../silence/words.ts'
import type { QuietHours } from './quiet-hours.ts'

const DAY = 86_400
const BEGINNING = /^At (\d\d:\d\d)( every day)?/

/**
 * Returns a phrase such as `22:00–07:00 on Monday to Friday (Europe/Riga)`. If the hours end on a later day, returns a phrase such as `at
 * 18:00 on Friday (Europe/Riga), for 2 days 14 hours`.
 */
export function quietHoursWords(quiet: QuietHours): string {
  const end = quiet.seconds < DAY ? endOfDay(quiet) : null
  const words = end === null ? windowWords(quiet) : spanWords(quiet, end)
  return quiet.upTo === 'down' ? words : `${words}, for warnings`
}

function spanWords({ schedule, tz, ...rest }: QuietHours, end: string): string {
  const words = describe(schedule, tz)
  const [beginning, start] = BEGINNING.exec(words) ?? []
  const isOne = beginning !== undefined && !words.includes(';')
  return isOne ? `${start}–${end}${words.slice(beginning.length)}` : windowWords({ schedule, tz, ...rest })
}

/** Returns quiet hours as a user would type them, such as `0 22 * * * (Europe/Riga), for 9 hours`. */
export function storedQuietHours({ schedule, tz, seconds, upTo }: QuietHours): string {
  return `${schedule} (${tz}), for ${periodInWords(seconds)}${upTo === 'down' ? '' : ', for warnings'}`
}

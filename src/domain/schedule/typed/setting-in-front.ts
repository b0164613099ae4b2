/** Recognizes a setting that precedes a schedule on the same line, such as `CRON_TZ=Europe/Berlin 0 21 * * *`. */
import { isCron } from '../cron.ts'
import { looksLikeField } from '../cron-field.ts'
import { type Piece, words } from '../schedule-text.ts'
import { cronWord } from './cron-words.ts'

interface SettingInFront {
  /** the setting, such as `CRON_TZ=Europe/Berlin` */
  readonly setting: Piece
  /** the setting's value, which is probably an IANA name; null if the setting is not about time zones */
  readonly zone: string | null
  /** a word such as `@daily`, or five fields; null for any other text, which is accepted only after a time zone */
  readonly schedule: string | null
  /** text after the schedule, such as a command; empty if there is none */
  readonly behind: string
}

/**
 * @param whole one line without surrounding white space
 * @returns null if there is no setting, or if nothing follows the setting
 */
export function settingInFront(whole: Piece): SettingInFront | null {
  const [head, name = ''] = /^([A-Za-z_]\w*)[ \t]*=[ \t]*/.exec(whole.text) ?? []
  if (head === undefined || whole.text.includes('\n')) return null
  const [value = ''] = /^(?:"[^"]*"|'[^']*'|\S*)/.exec(whole.text.slice(head.length)) ?? []
  const isZone = /^(?:CRON_)?TZ$/i.test(name)
  // The value may be empty. In that case, the first word after the equals sign is the minute field.
  const empty = /\s$/.test(head) ? [{ value: '', ...scheduleAt(whole.text, head.length) }] : []
  const found = [{ value, ...scheduleAt(whole.text, head.length + value.length) }, ...empty]
  const best = found.find(({ schedule }) => schedule !== null) ?? (isZone && found[0]?.behind ? found[0] : undefined)
  if (best === undefined) return null
  return {
    setting: { text: (head + best.value).trimEnd(), start: whole.start },
    zone: isZone ? best.value.replace(/^(["'])(.*)\1$/, '$2') : null,
    schedule: best.schedule,
    behind: best.behind,
  }
}

function scheduleAt(text: string, start: number): Pick<SettingInFront, 'schedule' | 'behind'> {
  const behindFirst = words({ text: text.slice(start), start }).map((word) => word.text)
  const more = behindFirst.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const all = behindFirst.slice(Math.max(0, more))
  const schedule = scheduleAhead(all)
  return { schedule: schedule?.join(' ') ?? null, behind: all.slice(schedule?.length ?? 0).join(' ') }
}

/**
 * Returns the words at the beginning that form a schedule, or null if they don't. A word that consists of digits may actually be part of
 * the setting's value.
 */
function scheduleAhead(all: readonly string[]): readonly string[] | null {
  const [first = ''] = all
  if (cronWord(first) !== null || /^@(?:reboot|every|\d+)$/i.test(first)) return [first]
  const five = all.slice(0, 5)
  if (five.length < 5 || !five.every(looksLikeField)) return null
  const hasStar = five.some((word) => word.includes('*'))
  return hasStar || (isCron(five.join(' ')) && !looksLikeField(all[5] ?? '')) ? five : null
}

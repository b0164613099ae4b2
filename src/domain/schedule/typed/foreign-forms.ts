/** Recognizes schedules in the syntax of other programs and says what to write instead. */
import { isCron } from '../cron.ts'
import { looksLikeField } from '../cron-field.ts'
import { type Piece, type PlacedMessage, trim, words } from '../schedule-text.ts'
import { looksLikeTimeZone, meantTimeZone, similarTimeZone } from '../similar-time-zone.ts'
import { severalCronLines } from './cron-lines.ts'
import { cronWord } from './cron-words.ts'
import { periodText } from './period-text.ts'
import { settingInFront } from './setting-in-front.ts'

/** Maximum length of input to examine. A schedule has at most 100 characters, so much longer input is not a mistyped schedule. */
const LONGEST = 1_000

type Form = (whole: Piece) => PlacedMessage | null

const FORMS: readonly Form[] = [
  inCronCall,
  named,
  settingBefore,
  atWord,
  period,
  blanksInField,
  severalCronLines,
  questionMark,
  fieldsAndMore,
]

/**
 * Returns a message that says what to write instead of text that is not a schedule; null if the text looks like a schedule with a mistake.
 * @param text must already have been rejected by the grammar
 */
export function foreignForm(text: string): PlacedMessage | null {
  if (text.length > LONGEST) return null
  const whole = trim({ text, start: 0 })
  for (const form of FORMS) {
    const found = form(whole)
    if (found !== null) return found
  }
  return null
}

function about({ start, text }: Piece, message: string): PlacedMessage {
  return { message, position: start, length: text.length }
}

/** Returns the fields in quotes, such as `"0 3 * * *"`, if they form a valid schedule; otherwise null. */
function quoted(fields: readonly string[]): string | null {
  const text = fields.join(' ')
  return isCron(text) ? `"${text}"` : null
}

/** Recognizes a call such as `cron(0 12 * * ? *)`, as in Amazon EventBridge. */
function inCronCall(whole: Piece): PlacedMessage | null {
  const inside = /^cron\((.*)\)$/is.exec(whole.text)?.[1]
  if (inside === undefined) return null
  const rest = foreignForm(inside)?.message ?? (isCron(inside) ? `Write "${inside.trim()}".` : '')
  return about(whole, `Leave "cron(" and ")" out. ${rest}`.trim())
}

/** Recognizes a setting such as `OnCalendar=daily` from a timer unit, or `schedule: 0 3 * * *` from a configuration file. */
function named(whole: Piece): PlacedMessage | null {
  const name = /^(?:OnCalendar|schedule|cron)\s*[=:](?=.)/i.exec(whole.text)?.[0]
  if (name === undefined) return null
  return about({ text: name, start: whole.start }, `Leave "${name}" out: the schedule is the part after it.`)
}

/** Recognizes a field that contains spaces, such as `0 3 * * MON, WED` or `1 - 5`. */
function blanksInField(whole: Piece): PlacedMessage | null {
  const close = whole.text.replace(/\s*([,/-])\s*/g, '$1')
  if (whole.text.includes('\n') || close === whole.text || !isCron(close)) return null
  return about(
    whole,
    `A field cannot have spaces in it: write "${words({ text: close, start: 0 })
      .map(({ text }) => text)
      .join(' ')}".`,
  )
}

/** Recognizes a crontab setting in front of the schedule, such as `CRON_TZ=Europe/Berlin 0 21 * * *`, as used in cronie and Kubernetes. */
function settingBefore(whole: Piece): PlacedMessage | null {
  const found = settingInFront(whole)
  if (found === null) return null
  const { setting, zone, schedule } = found
  if (zone) return about(setting, zoneApart(schedule, zone))
  return about(setting, `The text before the schedule is not part of it: write "${schedule}".`)
}

/** @param schedule null if the message must not quote the schedule */
function zoneApart(schedule: string | null, zone: string): string {
  const name = meantTimeZone(zone)
  const field = name === null ? 'an IANA name such as Europe/Berlin' : `"${name}"`
  const isGood = schedule !== null && (cronWord(schedule) !== null || isCron(schedule))
  const rest = isGood ? `"${schedule}"` : 'the rest'
  return `The time zone has a field of its own: write ${rest} as the schedule and ${field} as the time zone.`
}

const AT_WORDS = '@hourly, @daily, @weekly, @monthly or @yearly'

function atWord(whole: Piece): PlacedMessage | null {
  const [word, ...behind] = words(whole)
  if (!word?.text.startsWith('@') || whole.text.includes('\n')) return null
  if (/^@reboot$/i.test(word.text)) {
    return about(
      word,
      'A job with @reboot runs when the machine starts, so it has no expected time; choose an interval.',
    )
  }
  const [zone] = behind
  if (cronWord(word.text) !== null && zone !== undefined) {
    const isZone = behind.length === 1 && looksLikeTimeZone(zone.text)
    return isZone ? about(zone, zoneApart(word.text, zone.text)) : about(zone, commandBehind(word.text))
  }
  if (periodText(whole.text) !== null) return period(whole)
  return about(word, `This word is not a schedule; write ${AT_WORDS}.`)
}

function period(whole: Piece): PlacedMessage | null {
  const span = periodText(whole.text)
  return span === null ? null : about(whole, `That is an interval${span}, not a schedule; choose an interval instead.`)
}

/** Explains that the input is a complete crontab line. The message does not include the command, because it may contain passwords. */
function commandBehind(schedule: string): string {
  return `The text after the schedule is not part of it: write "${schedule}".`
}

/** Recognizes a question mark, as in `0 3 ? * MON`. In Quartz and Kubernetes, `?` means `*`. */
function questionMark(whole: Piece): PlacedMessage | null {
  const fields = words(whole)
  const found = fields.find(({ text }) => text === '?')
  if (fields.length !== 5 || found === undefined) return null
  const proposal = quoted(fields.map(({ text }) => withoutQuestion(text)))
  return about(found, `"?" is for Quartz; write * in its place${proposal === null ? '' : `: ${proposal}`}.`)
}

const withoutQuestion = (text: string) => (text === '?' ? '*' : text)

const ZONE = /^(?:[A-Z]{3,4}|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d\d)?)$/

/** Recognizes five fields with extra words before or after them: seconds, a year, a zone or a command. */
function fieldsAndMore(whole: Piece): PlacedMessage | null {
  const all = words(whole)
  const end = all.findIndex(({ text }) => !looksLikeField(text) || similarTimeZone(text) !== null)
  const fields = end < 0 ? all : all.slice(0, end)
  const behind = all[fields.length]
  const isZone = behind !== undefined && (ZONE.test(behind.text) || looksLikeTimeZone(behind.text))
  if (fields.length === 6 || fields.length === 7) return secondsOrYear(fields, isZone)
  const five = fields.map(({ text }) => text).join(' ')
  if (fields.length !== 5 || behind === undefined || !isCron(five)) return null
  return about(behind, isZone ? zoneApart(five, behind.text) : commandBehind(five))
}

interface Reading {
  /** names of the extra fields, which don't exist in cron */
  readonly what: string
  /** the first of the extra fields */
  readonly surplus: readonly Piece[]
  readonly five: readonly Piece[]
}

/**
 * Separates the five cron fields from extra ones. Seconds come first, as in Quartz, Spring and node-cron. A year comes last, as in Quartz
 * and Amazon EventBridge.
 */
function secondsOrYear(fields: readonly Piece[], hasZone: boolean): PlacedMessage | null {
  const { surplus, what, five } = readingOf(fields)
  const isPlaced = five.every(({ text }, index) => text !== '?' || index === 2 || index === 4)
  const [first] = surplus
  if (first === undefined || !isPlaced) return null
  const zone = hasZone ? ' The time zone has a field of its own.' : ''
  return about(first, `A cron expression has five fields and no ${what}: ${fiveFields(five)}${zone}`)
}

function readingOf(fields: readonly Piece[]): Reading {
  if (fields.length === 7) return { what: 'seconds or years', surplus: fields.slice(0, 1), five: fields.slice(1, 6) }
  if (hasYear(fields)) return { what: 'years', surplus: fields.slice(5), five: fields.slice(0, 5) }
  return { what: 'seconds', surplus: fields.slice(0, 1), five: fields.slice(1) }
}

/**
 * Whether the last of six fields is a year. Only day fields can be `?`, so its position shows which field is the extra one. Without a `?`,
 * a four-digit number is a year.
 */
function hasYear(fields: readonly Piece[]): boolean {
  const question = fields.findIndex(({ text }) => text === '?')
  if (question >= 0) return question === 2 || question === 4
  return /^(?:19|20|21)\d\d\b/.test(fields[5]?.text ?? '')
}

function fiveFields(fields: readonly Piece[]): string {
  const isQuartz = fields.some(({ text }) => text === '?')
  // Sunday is 1 in Quartz but 0 in cron.
  if (isQuartz && /\d/.test(fields[4]?.text ?? ''))
    return 'leave them out, and write weekdays by name, such as MON-FRI.'
  const proposal = quoted(fields.map(({ text }) => withoutQuestion(text)))
  return proposal === null ? 'leave them out.' : `leave them out and write ${proposal}.`
}

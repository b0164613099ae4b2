/** The content of a morning mail, independent of its format. */
import { oneLine, within } from '../../lib/text/text.ts'
import type { Instant, Temporal } from '../../lib/time.ts'
import { checkPageUrl, type Links } from '../check/representation.ts'
import { calmOf } from '../night/brief.ts'
import type { JudgedRow, Night } from '../night/night.ts'
import { clockOf, mutedWords, outcomeWords } from '../night/outcome-words.ts'
import { isTrouble } from '../night/row.ts'
import { type NightSentence, nameOf } from '../night/sentence.ts'
import { type SilentTogether, togetherSentence, toldBy } from '../night/together.ts'
import type { NightWindow } from '../night/window.ts'
import { sentenceText } from '../words/sentence-text.ts'
import { type MorningMark, marksOf } from './marks.ts'
import { type PausedCheck, restWords, waitsForPing } from './rest-words.ts'

/** A project whose checks are part of a night. */
export interface MorningPlace {
  readonly actor: { readonly project: { readonly name: string } }
  /** false: the project's checks could not be read because of an error */
  readonly isRead: boolean
}

/** A night, with other data that is needed for the mail. */
export interface MorningNight {
  readonly night: Night<MorningPlace>
  readonly sentence: NightSentence
  /** paused checks to list by name; other paused checks are only counted */
  readonly paused: readonly PausedCheck[]
}

export interface MorningContent {
  /** the time that the night covers, such as `Monday 16 to Tuesday 17 November · 18:00 to 08:00, Europe/Riga` */
  readonly when: string
  /** first line of the night page */
  readonly sentence: { readonly lead: string; readonly more: string }
  readonly together: readonly string[]
  /** missing, failed, slow and late checks, in that order; within each kind, in the order of the night page */
  readonly rows: readonly MorningRow[]
  readonly hidden: number
  readonly rest: string
  /** true: the mail lists no checks */
  readonly isCalm: boolean
  /** axis labels, one every four hours */
  readonly hours: readonly MorningHour[]
  readonly nightUrl: string
}

export interface MorningRow {
  readonly name: string
  /** the project's name; empty if all rows belong to the same project */
  readonly project: string
  readonly url: string
  readonly words: string
  readonly isBad: boolean
  readonly marks: readonly MorningMark[]
}

interface MorningHour {
  readonly words: string
  /** position on the axis, in percent */
  readonly percent: number
}

/** The footer of the mail: why it was sent, and how to unsubscribe. */
export interface MorningFoot {
  readonly words: string
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

/** Maximum number of rows. Mail programs cut off emails that are longer than a few hundred kilobytes. */
const ROWS = 50
const NAME_LIMIT = 100
const HOURS_STEP = 4
const ORDER: readonly string[] = ['missing', 'failed', 'slow', 'late']

/** Whether anything went wrong: a check had trouble, or part of the night is unknown. */
export function isWrong({ night, sentence }: Pick<MorningNight, 'night' | 'sentence'>): boolean {
  const isPartly = sentence.away !== '' || night.groups.some(({ place }) => !place.isRead)
  return isPartly || night.groups.some(({ together }) => together.length > 0) || troublesOf(night).length > 0
}

/** @param tz IANA name */
export function morningContent(morning: MorningNight, links: Links, tz: string, now: Instant): MorningContent {
  const { night, sentence, paused } = morning
  const { window, groups } = night
  const troubles = troublesOf(night)
  const together = shownTogether(night)
  const isCalm = troubles.length === 0 && together.length === 0
  const isOfMany = new Set(troubles.map(({ project }) => project)).size > 1
  const zone = { now, tz }
  return {
    when: `${daysWords(window)} · ${clockOf(window.from, tz)} to ${clockOf(window.until, tz)}, ${tz.replaceAll('_', ' ')}`,
    sentence: {
      lead: [sentence.away, sentence.counts].filter((words) => words !== '').join(' '),
      more: sentenceText(sentence.more, zone),
    },
    together: together.map((group) => sentenceText(togetherSentence(group, tz), zone)),
    rows: troubles.slice(0, ROWS).map(({ row, project }) => ({
      name: nameText(row),
      project: isOfMany ? shortName(project) : '',
      url: checkPageUrl(row.check.id, links),
      words: [outcomeWords(row, night.now, tz), mutedWords(row.muted, tz)].filter((words) => words !== '').join(', '),
      isBad: row.outcome === 'missing' || row.outcome === 'failed',
      marks: marksOf(row, window),
    })),
    hidden: Math.max(0, troubles.length - ROWS),
    rest: restWords({
      ran: calmOf(groups).expected,
      isFirst: isCalm,
      notDue: groups.flatMap(({ notDue }) => notDue).map(({ check }) => check),
      paused: paused.map(({ name, since }) => ({ name: shortName(name), since })),
      neverPinged: groups.flatMap(({ notDue }) => notDue.filter(waitsForPing).map(nameText)),
      unread: groups.flatMap(({ place }) => (place.isRead ? [] : [shortName(place.actor.project.name)])),
      now: now.epochMilliseconds,
    }),
    isCalm,
    hours: hoursOf(window),
    nightUrl: `${links.siteRoot}/night?night=${window.evening}`,
  }
}

function shownTogether({ groups }: Night<unknown>): readonly SilentTogether[] {
  return groups.flatMap(({ together }) => together).slice(0, ROWS)
}

/** Returns the rows with trouble, most severe first. Rows with the same outcome are in the order of the night page. */
function troublesOf(night: Night<MorningPlace>) {
  const isTold = toldBy(shownTogether(night))
  return night.groups
    .flatMap(({ place, open, frequentTrouble }) => {
      const alone = frequentTrouble.filter((row) => !isTold(row))
      const rows = [...open.filter(({ outcome }) => isTrouble(outcome)), ...alone]
      return rows.map((row) => ({ row, project: place.actor.project.name }))
    })
    .toSorted((a, b) => ORDER.indexOf(a.row.outcome) - ORDER.indexOf(b.row.outcome))
}

function nameText(row: JudgedRow): string {
  return shortName(nameOf(row))
}

function shortName(name: string): string {
  return within(oneLine(name), NAME_LIMIT)
}

/** Returns a phrase such as `Monday 16 to Tuesday 17 November`. */
function daysWords({ evening }: NightWindow): string {
  const morning = evening.add({ days: 1 })
  const weekday = (date: Temporal.PlainDate) => date.toLocaleString('en', { weekday: 'long' })
  const month = (date: Temporal.PlainDate) => date.toLocaleString('en', { month: 'long' })
  const begin = `${weekday(evening)} ${evening.day}${evening.month === morning.month ? '' : ` ${month(evening)}`}`
  return `${begin} to ${weekday(morning)} ${morning.day} ${month(morning)}`
}

function hoursOf({ hours }: NightWindow): readonly MorningHour[] {
  const count = hours.length - 1
  return hours
    .slice(0, -1)
    .flatMap((hour, index) =>
      index % HOURS_STEP === 0
        ? [{ words: String(hour).padStart(2, '0'), percent: (Math.min(HOURS_STEP, count - index) / count) * 100 }]
        : [],
    )
}

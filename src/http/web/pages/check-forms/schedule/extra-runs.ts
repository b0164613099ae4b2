/** Determines what a check's unexpected runs have in common. */
import type { JudgedRun } from '../../../../../domain/preview/replay.ts'
import { counted } from '../../../parts/words/text.ts'

interface ExtraWords {
  /** words such as `8 weekend pings` */
  readonly pings: string
  /** question for the reader to consider */
  readonly question: string
}

/** Time of a run in the check's time zone. */
interface When {
  /** day of the week; Monday is 1 */
  readonly weekday: number
  readonly hour: number
}

interface Group {
  readonly name: string
  readonly question: string
  has(when: When): boolean
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/**
 * Groups of runs, in order of precedence. The first group that contains all of the extra runs and none of the expected runs is reported.
 */
const GROUPS: readonly Group[] = [
  ...WEEKDAYS.map((name, index) => ({
    name,
    question: `does the job really not run on ${name}s?`,
    has: ({ weekday }: When) => weekday === index + 1,
  })),
  {
    name: 'weekend',
    question: 'does the job really stop at weekends?',
    has: ({ weekday }) => weekday >= 6,
  },
  {
    name: 'weekday',
    question: 'does the job really stop on weekdays?',
    has: ({ weekday }) => weekday < 6,
  },
  {
    name: 'nightly',
    question: 'does the job really stop at night?',
    has: ({ hour }) => hour >= 20 || hour < 6,
  },
  {
    name: 'daytime',
    question: 'does the job really stop by day?',
    has: ({ hour }) => hour >= 6 && hour < 20,
  },
]

/** @param runs the runs in the log, without the first one (see `sinceFirst`) @param tz IANA name of the check's time zone */
export function extraWords(runs: readonly JudgedRun[], tz: string): ExtraWords {
  const when = ({ at }: JudgedRun): When => {
    const { dayOfWeek: weekday, hour } = at.toZonedDateTimeISO(tz)
    return { weekday, hour }
  }
  const extra = runs.filter(({ kind }) => kind === 'extra').map(when)
  const expected = runs.filter(({ kind }) => kind !== 'extra').map(when)
  // If there is only one extra run, every group that contains its time would match.
  const group =
    extra.length > 1 && expected.length > 0
      ? GROUPS.find(({ has }) => extra.every(has) && !expected.some(has))
      : undefined
  const name = group ? `${group.name} ` : ''
  return {
    pings: counted(extra.length, `${name}ping`, `${name}pings`),
    question: group?.question ?? 'does the job run more often than this?',
  }
}

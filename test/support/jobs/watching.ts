/** Settings of checks, zones, and beginnings, as people choose them. */
import type { FixedSettings } from '../../../src/domain/advice/advice.ts'
import type { AdvisedCheck } from '../../../src/domain/advice/facts.ts'
import { scheduleKind } from '../../../src/domain/schedule/schedule.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { History } from './history.ts'
import { DAY, SECOND } from './runs.ts'

/** Zones north and south, east and west, with and without clock changes, and with half-hour offsets. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Riga',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Pacific/Auckland',
] as const

const YEAR_BEGINS = Date.UTC(2026, 0, 1)

/** Returns a moment of the year 2026. */
export function beginning(random: SeededRandom): number {
  return YEAR_BEGINS + random.integer(365 * DAY)
}

const BEGUN = {
  manualResume: false,
  methods: '',
  wasPinged: false,
  isPaused: false,
  pausedAt: null,
  timeoutSeconds: 86_400,
  schedule: '* * * * *',
}

/** @param grace in milliseconds */
export function scheduled(schedule: string, tz: string, grace: number, createdAt: number): AdvisedCheck {
  const kind = scheduleKind(schedule)
  return { ...BEGUN, kind, schedule, tz, graceSeconds: Math.round(grace / SECOND), createdAt, changedAt: createdAt }
}

/** @param period in milliseconds @param grace in milliseconds */
export function periodic(period: number, grace: number, createdAt: number): AdvisedCheck {
  const [timeoutSeconds, graceSeconds] = [period / SECOND, Math.round(grace / SECOND)]
  return { ...BEGUN, kind: 'simple', tz: 'UTC', timeoutSeconds, graceSeconds, createdAt, changedAt: createdAt }
}

/** Returns the check after an edit that sets the settings of a fix. */
export function withSettings(check: AdvisedCheck, settings: FixedSettings, changedAt: number): AdvisedCheck {
  const {
    timeout,
    grace = check.graceSeconds,
    schedule = check.schedule,
    tz = check.tz,
    methods = check.methods,
  } = settings
  const kind = timeout !== undefined ? 'simple' : settings.schedule === undefined ? check.kind : scheduleKind(schedule)
  return {
    ...check,
    kind,
    timeoutSeconds: timeout ?? check.timeoutSeconds,
    graceSeconds: grace,
    schedule,
    tz,
    methods,
    changedAt,
  }
}

/** Other checks of the project, and the account, in the check's zone or in others. */
export function surroundings(random: SeededRandom, tz: string): Pick<History, 'siblingZones' | 'accountZone'> {
  const siblingZones = Array.from({ length: random.integer(5) }, () => (random.happens(0.6) ? tz : random.pick(ZONES)))
  return { siblingZones: [tz, ...siblingZones], accountZone: random.happens(0.7) ? tz : random.pick(ZONES) }
}

/** A minute of the night, as people write it into a crontab. */
export function nightly(random: SeededRandom): string {
  return `${random.pick([0, 0, 0, 5, 10, 15, 20, 30, 30, 45])} ${random.integer(6)} * * *`
}

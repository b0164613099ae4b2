/** A job of the demo: its check, its times, its output, and its failures. */
import type { CheckSpec } from '../../src/domain/check/check.ts'
import type { Chance } from './random.ts'

export const PROJECTS = ['Harbour Books', 'Warehouse', 'Office'] as const
export type ProjectName = (typeof PROJECTS)[number]

export interface Job {
  readonly project: ProjectName
  /** names, tags, timing, grace time, rules; `channels` are names of the project's integrations */
  readonly spec: CheckSpec & { readonly name: string; readonly slug: string }
  readonly sender: Sender
  /** usual seconds of a run, which then sends a start too; null: it sends its end only */
  readonly takes: number | null
  /** output of a successful run */
  readonly says?: Output
  /** age of the check; 30 by default */
  readonly madeDaysAgo?: number
  /** cron expression of its real runs, in the zone of the check; the schedule of the check by default */
  readonly runsBy?: string
  /** seconds since its last run began, for a job with a period */
  readonly beganAgo?: number
  /** troubles; the earlier one counts where two overlap */
  readonly troubles?: readonly Trouble[]
  /** whether the job was never started */
  readonly hasNeverRun?: boolean
  readonly paused?: { readonly hoursAgo: number; readonly by: string }
}

/** Sender of pings, by URL or by email. */
export type Sender =
  | { readonly kind: 'http'; readonly agent: string; readonly address: string; readonly method: 'GET' | 'POST' }
  | { readonly kind: 'mail'; readonly from: string; readonly address: string }

/** A failure of the runs of some hours, counted back from the start of the demo. Hours below 0 are after it. */
export interface Trouble {
  readonly fromHoursAgo: number
  /** null: it continues */
  readonly toHoursAgo: number | null
  readonly what:
    | { readonly kind: 'silent' }
    /** @param exitStatus null: the job calls `/fail` */
    | { readonly kind: 'failed'; readonly exitStatus: number | null; readonly says: Output }
    | { readonly kind: 'late'; readonly bySeconds: number }
}

export interface Run {
  readonly chance: Chance
  /** number of the run among those of its job */
  readonly n: number
  /** time of its beginning */
  readonly at: Date
  readonly seconds: number
}

export type Output = (run: Run) => string

export function curl(address: string): Sender {
  return { kind: 'http', agent: 'curl/8.14.1', address, method: 'GET' }
}

/** Returns a sender that posts the job's output. @param agent user agent */
export function posts(agent: string, address: string): Sender {
  return { kind: 'http', agent, address, method: 'POST' }
}

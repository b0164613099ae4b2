/** A job of the demo: how its check is set up, when it runs, what it prints, and what went wrong. */
import type { CheckSpec } from '../../src/domain/check/check.ts'
import type { Chance } from './random.ts'

export const PROJECTS = ['Harbour Books', 'Warehouse', 'Office'] as const
export type ProjectName = (typeof PROJECTS)[number]

export interface Job {
  readonly project: ProjectName
  /** names, tags, timing, grace time, rules; `channels` are names of the project's integrations */
  readonly spec: CheckSpec & { readonly name: string; readonly slug: string }
  readonly sender: Sender
  /** usual seconds of a run, which then tells its start too; null: it tells its end only */
  readonly takes: number | null
  /** what a run prints that went well */
  readonly says?: Output
  /** when the check was made; 30 by default */
  readonly madeDaysAgo?: number
  /** the cron expression by which it really runs, in the zone of the check; the schedule of the check by default */
  readonly runsBy?: string
  /** of a job with a period, seconds since its last run began */
  readonly beganAgo?: number
  /** the earlier one counts where two overlap */
  readonly troubles?: readonly Trouble[]
  /** a job that was never started */
  readonly hasNeverRun?: boolean
  readonly paused?: { readonly hoursAgo: number; readonly by: string }
}

/** What calls the ping URL, or sends the email. */
export type Sender =
  | { readonly kind: 'http'; readonly agent: string; readonly address: string; readonly method: 'GET' | 'POST' }
  | { readonly kind: 'mail'; readonly from: string; readonly address: string }

/** What went wrong with the runs of some hours, counted back from the start of the demo. Hours below 0 come after it. */
export interface Trouble {
  readonly fromHoursAgo: number
  /** null: it goes on */
  readonly toHoursAgo: number | null
  readonly what:
    | { readonly kind: 'silent' }
    /** @param exitStatus null: the job calls `/fail` */
    | { readonly kind: 'failed'; readonly exitStatus: number | null; readonly says: Output }
    | { readonly kind: 'late'; readonly bySeconds: number }
}

export interface Run {
  readonly chance: Chance
  /** counts the runs of a job */
  readonly n: number
  /** when it began */
  readonly at: Date
  readonly seconds: number
}

export type Output = (run: Run) => string

export function curl(address: string): Sender {
  return { kind: 'http', agent: 'curl/8.14.1', address, method: 'GET' }
}

/** @param agent posts what the job has printed */
export function posts(agent: string, address: string): Sender {
  return { kind: 'http', agent, address, method: 'POST' }
}

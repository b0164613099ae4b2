import type { CheckTiming } from '../../../../domain/job-schedule/job-schedule.ts'
import type { Instant } from '../../../../lib/time.ts'

/**
 * Writes a snippet that reports the start, the end and the output of a job. A ping that fails prints an error, but does not affect the job.
 * All pings of a run take less than 30 seconds in total, even if the server does not answer. If the snippet contains a schedule, it matches
 * the schedule of the check; otherwise a comment states that it is an example, or why it differs.
 * @param url ping URL of the check, which needs no quoting in a shell
 * @param now current time; only later clock changes matter
 * @param siteRoot address where this server provides `overdue-run`
 */
export type SnippetWriter = (url: string, check: CheckTiming, now: Instant, siteRoot: string) => string

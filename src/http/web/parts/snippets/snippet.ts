import type { CheckTiming } from '../../../../domain/job-schedule/job-schedule.ts'
import type { Instant } from '../../../../lib/time.ts'

/**
 * Writes a snippet that reports a job's start, end and output. A ping that fails prints an error, but does not affect the job. All of a
 * run's pings take less than 30 seconds in total, even if the server does not respond. If the snippet contains a schedule, it is the
 * check's schedule. Otherwise, a comment states that the schedule is an example, or why it differs.
 * @param url the check's ping URL, which does not need to be quoted in a shell
 * @param now current time; only later clock changes matter
 * @param siteRoot value of SITE_ROOT; the server provides `overdue-run` below it
 */
export type SnippetWriter = (url: string, check: CheckTiming, now: Instant, siteRoot: string) => string

import type { CheckTiming } from '../../../../domain/job-schedule/job-schedule.ts'
import type { Instant } from '../../../../lib/time.ts'

/**
 * Writes lines that tell the start, the end and the output of a job. A ping that fails says so, and changes nothing about the job. All
 * pings of a run take less than 30 seconds together, whatever the server does. A schedule in them runs when the check expects a ping,
 * or a comment says that it is an example, or when it does not.
 * @param url of pings of the check: it has only letters, digits and what URLs need
 * @param now from which on changes of clocks count
 * @param siteRoot where this server hands out `overdue-run`
 */
export type SnippetWriter = (url: string, check: CheckTiming, now: Instant, siteRoot: string) => string

import type { CheckTiming } from '../../../../domain/job-schedule/job-schedule.ts'
import type { Instant } from '../../../../lib/time.ts'

/**
 * Writes lines that report the start, the end and the output of a job. A ping that fails prints an error, and has no effect on the job. All
 * pings of a run take less than 30 seconds together, regardless of the server. A schedule in the lines runs when the check expects a ping,
 * or a comment states that it is an example, or why it differs.
 * @param url ping URL of the check: it has only letters, digits and characters that URLs need
 * @param now time from which clock changes count
 * @param siteRoot address at which this server provides `overdue-run`
 */
export type SnippetWriter = (url: string, check: CheckTiming, now: Instant, siteRoot: string) => string

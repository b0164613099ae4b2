import type { CheckTiming } from '../../../../domain/check/job-schedule.ts'

/**
 * Writes lines that tell the start, the end and the output of a job. A ping that fails says so, and changes nothing about the job. All
 * pings of a run take less than 30 seconds together, whatever the server does. A schedule in them runs when the check expects a ping,
 * or is called an example.
 * @param url of pings of the check: it has only letters, digits and what URLs need
 */
export type SnippetWriter = (url: string, check: CheckTiming) => string

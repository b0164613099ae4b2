/** Recorded cases that Overdue answers differently, each with the reason. A case that passes must be removed here. */
import { CHECK_FIELDS } from '../../src/domain/check/fields.ts'

// RFC 9110, 9.3.1 gives it no meaning, and Bun.serve drops it.
const getBody = 'Bun drops the body of a GET request'

// docs/compatibility.md
const cronWords = 'words such as @daily are accepted'

/** Members of answers that no Healthchecks had at the time of the recording: fields of a check that were added later. */
export const ADDED: ReadonlySet<string> = new Set(
  Object.values(CHECK_FIELDS).flatMap(({ wire, since }) => (since > 1 ? [wire] : [])),
)

/** Reasons by `area/name`. */
export const NOT_YET: Readonly<Record<string, string>> = {
  'ping-log/body-by-get-put-and-delete': getBody,
  'oncalendar/refused-04': cronWords,
}

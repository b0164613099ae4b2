/** Recorded cases that Overdue does not pass yet, each with the reason. A case that passes must be removed here. */

// RFC 9110, 9.3.1 gives it no meaning, and Bun.serve drops it.
const getBody = 'Bun drops the body of a GET request'

/** By `area/name`. */
export const NOT_YET: Readonly<Record<string, string>> = {
  'ping-log/body-by-get-put-and-delete': getBody,
}

/**
 * The curl options used in every ping command that Overdue shows or documents. Whatever the server does, the commands at the start and end
 * of a job take less than 30 seconds in total: at most 5 for the start, and 12 + 4 + 7 for the end. The last attempt at the end begins
 * within 12 seconds, plus the wait before it. `-f` makes curl fail on HTTP errors, `-sS` prints only errors, `-L` follows redirects, and
 * `-m` limits the duration of one attempt (curl(1)).
 */
const OPTIONS = 'curl -fsSL'

/** Options for the ping at the start of a job. The ping is sent only once, because retries would delay the job while the server is down. */
export const CURL_START = `${OPTIONS} -m 5 -o /dev/null`

/**
 * Options for the ping at the end of a job. Failed attempts are retried after 1, 2 and 4 seconds, even if a server that is restarting
 * refuses connections.
 */
export const CURL_END = `${OPTIONS} -m 7 --retry 3 --retry-connrefused --retry-max-time 12 -o /dev/null`

/**
 * Options that follow {@link CURL_END} and send standard input as the body. Without this Content-Type, curl would label the body as a form.
 */
export const WITH_OUTPUT = '-H Content-Type:text/plain --data-binary @-'

/** Number of bytes that the server stores from the beginning of a body by default. To store the end of an output, send only its end. */
export const OUTPUT_BYTES = 10_000

/**
 * The curl options for every ping command that Overdue shows or documents. However the server behaves, the commands at the start and the
 * end of a job take less than 30 seconds together: at most 5 for the start, and 12 + 4 + 7 for the end. The end's last attempt begins
 * within 12 seconds plus the wait before it.
 *
 * `-f` makes HTTP errors fail, `-sS` prints only errors, `-L` follows redirects, `-m` limits the time of one attempt (curl(1)).
 */
const OPTIONS = 'curl -fsSL'

/** The ping at the start of a job is tried once. More attempts would delay the job while the server is down. */
export const CURL_START = `${OPTIONS} -m 5 -o /dev/null`

/** The ping at the end is retried after 1, 2 and 4 seconds, even if a restarting server refuses connections. */
export const CURL_END = `${OPTIONS} -m 7 --retry 3 --retry-connrefused --retry-max-time 12 -o /dev/null`

/** Options after {@link CURL_END} that send standard input as the body. Without the Content-Type, curl would say that it is a form. */
export const WITH_OUTPUT = '-H Content-Type:text/plain --data-binary @-'

/** Number of bytes of a body that the server keeps by default, from the beginning. To keep the end of an output, send only the end. */
export const OUTPUT_BYTES = 10_000

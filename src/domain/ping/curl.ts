/**
 * Beginnings of ping commands, for every line that Overdue writes or documents. The commands at the start and at the end of a job take less
 * than 30 seconds together, whatever the server does: 5 for the start, and 12 + 4 + 7 for the end, whose last try begins within 12 seconds
 * and the wait before that try.
 *
 * `-f` fails for HTTP errors, `-sS` prints errors only, `-L` follows redirects, `-m` ends a try (curl(1)).
 */
const OPTIONS = 'curl -fsSL'

/** The start of a job is tried once: more tries would delay the job while the server is away. */
export const CURL_START = `${OPTIONS} -m 5 -o /dev/null`

/** Retries after 1, 2 and 4 seconds, even if a restarting server refuses the connection. */
export const CURL_END = `${OPTIONS} -m 7 --retry 3 --retry-connrefused --retry-max-time 12 -o /dev/null`

/** Options after {@link CURL_END} that send standard input as the body. Without the type, curl declares it a form. */
export const WITH_OUTPUT = '-H Content-Type:text/plain --data-binary @-'

/** Bytes of a body that the server keeps by default, from its beginning. To store the end of an output, a line must send only that. */
export const OUTPUT_BYTES = 10_000

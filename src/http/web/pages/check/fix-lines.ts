/** Lines to put into a job, for fixes of advice: with the check's own URL in them, ready to copy. */
import type { FixText } from '../../../../domain/advice/advice.ts'
import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../../../domain/ping/curl.ts'

export interface FixLines {
  /** explanation of the lines */
  readonly words: string
  readonly lines: string
}

export interface FixLinesOf {
  /** ping URL of the check: only letters, digits and characters that URLs need */
  readonly pingUrl: string
  /** ping endpoint of the server, with a final slash */
  readonly pingEndpoint: string
  /** slug of the check; '' without one */
  readonly slug: string
}

const JOB = '/usr/local/bin/backup.sh'

/** @param text from an address @returns null for a text that names no such lines */
export function fixLines(text: string, of: FixLinesOf): FixLines | null {
  return isName(text) ? LINES[text](of) : null
}

/** Names of lines. `output` is for the card of changed output, the others are for advice. */
type LinesName = FixText | 'output'

function isName(text: string): text is LinesName {
  return Object.hasOwn(LINES, text)
}

const LINES: Readonly<Record<LinesName, (of: FixLinesOf) => FixLines>> = {
  'ping-line': ({ pingUrl }) => ({
    words:
      'Put this into the job in place of its own command. If the log of the job has the status 404, its URL is wrong.',
    lines: `${JOB}; ${CURL_END} ${pingUrl}/$?`,
  }),
  'fail-status': ({ pingUrl }) => ({
    words:
      'Exit statuses are 0 to 255. Windows and some programs have others: send a failure in their place. In PowerShell:',
    lines: `${POWERSHELL_JOB}
$end = if ($LASTEXITCODE -in 0..255) { $LASTEXITCODE } else { "fail" }
${CURL_END.replace(/^curl/, 'curl.exe').replace('/dev/null', 'NUL')} "${pingUrl}/$end"`,
  }),
  'own-check': ({ pingEndpoint, slug }) => ({
    words:
      'Let each host ping a check of its own, named after it. The first ping creates the check. Put a ping key of the project in place of PING_KEY; the project’s settings show it.',
    lines: `${JOB}; ${CURL_END} "${pingEndpoint}PING_KEY/${slug === '' ? 'backup' : slug}-$(hostname -s | tr A-Z a-z)/$??create=1"`,
  }),
  'post-line': ({ pingUrl }) => ({
    words:
      'Let the job ping by POST, which browsers and link previews never do. Then choose “Only POST” in the rules of the check.',
    lines: `${JOB}; ${CURL_END} -X POST ${pingUrl}/$?`,
  }),
  lock: ({ slug }) => ({
    words: 'flock starts no run while the last one is still under way, and ends with the status 1 instead.',
    lines: `flock -n "/tmp/${slug === '' ? 'backup' : slug}.lock" ${JOB}`,
  }),
  rid: ({ pingUrl }) => ({
    words: 'A run id in the start and in the end of each run says which end belongs to which start.',
    lines: `rid=$(uuidgen)
${CURL_START} "${pingUrl}/start?rid=$rid"
${JOB}
${CURL_END} "${pingUrl}/$??rid=$rid"`,
  }),
  'exit-status': ({ pingUrl }) => ({
    words:
      'Send the exit status of the job, so that a failure does not count as a success. Without pipefail a pipe has the status of its last command.',
    lines: `set -o pipefail
${JOB} 2>&1 | tee /tmp/backup.log
${CURL_END} ${pingUrl}/$?`,
  }),
  output: ({ pingUrl }) => ({
    words: 'Send the end of what the job prints along with its exit status. The log and alerts show it.',
    lines: `output=$(${JOB} 2>&1); code=$?
printf '%s\n' "$output" | tail -c ${OUTPUT_BYTES} | ${CURL_END} ${WITH_OUTPUT} ${pingUrl}/$code`,
  }),
}

const POWERSHELL_JOB = 'powershell -NoProfile -File .\\backup.ps1'

/** Lines to copy into a job, as suggested by advice. They contain the check's ping URL. */
import type { FixText } from '../../../../domain/advice/advice.ts'
import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../../../domain/ping/curl.ts'

export interface FixLines {
  /** explanation of the lines */
  readonly words: string
  readonly lines: string
}

export interface FixLinesOf {
  /** the check's ping URL, which is safe to use in a shell without quotes */
  readonly pingUrl: string
  /** the server's ping endpoint, with a trailing slash */
  readonly pingEndpoint: string
  /** the check's slug; '' if it has none */
  readonly slug: string
}

const JOB = '/usr/local/bin/backup.sh'

/** @param text name of the lines, from a URL @returns null if no lines have this name */
export function fixLines(text: string, of: FixLinesOf): FixLines | null {
  return isName(text) ? LINES[text](of) : null
}

/** Name of a set of lines. `output` is used by the card about changed output, and the other names are used by advice. */
type LinesName = FixText | 'output'

function isName(text: string): text is LinesName {
  return Object.hasOwn(LINES, text)
}

const LINES: Readonly<Record<LinesName, (of: FixLinesOf) => FixLines>> = {
  'ping-line': ({ pingUrl }) => ({
    words: 'Replace the ping command in the job with this. If the log of the job shows status 404, the URL is wrong.',
    lines: `${JOB}; ${CURL_END} ${pingUrl}/$?`,
  }),
  'fail-status': ({ pingUrl }) => ({
    words:
      'Exit statuses range from 0 to 255. Windows and some programs use other values: send a failure instead. In PowerShell:',
    lines: `${POWERSHELL_JOB}
$end = if ($LASTEXITCODE -in 0..255) { $LASTEXITCODE } else { "fail" }
${CURL_END.replace(/^curl/, 'curl.exe').replace('/dev/null', 'NUL')} "${pingUrl}/$end"`,
  }),
  'own-check': ({ pingEndpoint, slug }) => ({
    words:
      'Let each host ping its own check, named after the host. The first ping creates the check. Replace PING_KEY with a ping key of the project, which its settings show.',
    lines: `${JOB}; ${CURL_END} "${pingEndpoint}PING_KEY/${slug === '' ? 'backup' : slug}-$(hostname -s | tr A-Z a-z)/$??create=1"`,
  }),
  'post-line': ({ pingUrl }) => ({
    words:
      'Let the job ping with POST, which browsers and link previews never use. Then choose “POST only” in the rules of the check.',
    lines: `${JOB}; ${CURL_END} -X POST ${pingUrl}/$?`,
  }),
  lock: ({ slug }) => ({
    words: 'flock does not start the job while the previous run is in progress. It exits with status 1 instead.',
    lines: `flock -n "/tmp/${slug === '' ? 'backup' : slug}.lock" ${JOB}`,
  }),
  rid: ({ pingUrl }) => ({
    words: 'Send the same run id at the start and at the end of a run. It shows which end belongs to which start.',
    lines: `rid=$(uuidgen)
${CURL_START} "${pingUrl}/start?rid=$rid"
${JOB}
${CURL_END} "${pingUrl}/$??rid=$rid"`,
  }),
  'exit-status': ({ pingUrl }) => ({
    words:
      'Send the exit status of the job, so that a failure does not count as a success. Without pipefail, a pipeline has the status of its last command.',
    lines: `set -o pipefail
${JOB} 2>&1 | tee /tmp/backup.log
${CURL_END} ${pingUrl}/$?`,
  }),
  output: ({ pingUrl }) => ({
    words: 'Send the end of the job’s output along with its exit status. The log and alerts show the output.',
    lines: `output=$(${JOB} 2>&1); code=$?
printf '%s\n' "$output" | tail -c ${OUTPUT_BYTES} | ${CURL_END} ${WITH_OUTPUT} ${pingUrl}/$code`,
  }),
}

const POWERSHELL_JOB = 'powershell -NoProfile -File .\\backup.ps1'

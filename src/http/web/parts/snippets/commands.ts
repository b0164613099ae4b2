/** Snippets that ping with curl, for shells and for programs that start jobs. */
import { jobSchedule } from '../../../../domain/job-schedule/job-schedule.ts'
import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../../../domain/ping/curl.ts'
import type { SnippetWriter } from './snippet.ts'

const END = `${CURL_END} ${WITH_OUTPUT}`

/** Redirects the output. If no temporary file can be created, the job still runs, but its output is lost. */
const TO_LOG = `>"\${log:-/dev/null}" 2>&1`

export const crontab: SnippetWriter = (url, check, now) => {
  const { cron, tz, remark } = jobSchedule(check, 'cron', now)
  // In a crontab, a percent sign would end the command.
  const words = [
    `url=${url.replaceAll('%', '\\%')}`,
    `${CURL_START} $url/start`,
    'log=$(mktemp)',
    `/usr/local/bin/backup.sh ${TO_LOG}`,
    's=$?',
    'cat "$log"',
    `tail -c ${OUTPUT_BYTES} "$log" | ${END} $url/$s`,
    'rm -f "$log"',
    'exit $s',
  ]
  return `${comment(remark)}${tz === null ? '' : zoneLines(tz)}${cron}  ${words.join('; ')}`
}

/** Returns a comment line, or '' for null. */
const comment = (sentence: string | null) => (sentence === null ? '' : `# ${sentence}\n`)

function zoneLines(tz: string): string {
  return `# Applies to all lines below. The cron of Debian and Ubuntu ignores CRON_TZ: there, write the times in the zone of the machine.
CRON_TZ=${tz}
`
}

export const bash: SnippetWriter = (url) => `#!/bin/bash
url=${url}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
${CURL_START} "$url/start"
./backup.sh ${TO_LOG}
code=$?
cat "$log"
# The end of the output, and the exit status: 0 is a success, anything else a failure.
tail -c ${OUTPUT_BYTES} "$log" | ${END} "$url/$code"
exit $code`

/** Adapts a line for Windows, which has curl.exe but no /dev/null. In PowerShell 5, `curl` is a different command. */
const forWindows = (line: string) =>
  line.replace(/^curl/, 'curl.exe').replace('/dev/null', 'NUL').replace(/@-$/, '"@-"')

export const powershell: SnippetWriter = (url) => `$url = '${url}'
${forWindows(CURL_START)} "$url/start"   # curl.exe comes with Windows since 2019
powershell -NoProfile -File .\\backup.ps1 2>&1 | ForEach-Object { "$_" } | Tee-Object -Variable output
$status = $LASTEXITCODE
# The end of the output, and the exit status: 0 is a success, anything else a failure.
$end = if ($status -in 0..255) { $status } else { "fail" }
$text = $output -join "\`n"
$OutputEncoding = [Text.UTF8Encoding]::new($false)
$text.Substring([Math]::Max(0, $text.Length - ${OUTPUT_BYTES / 2})) | ${forWindows(END)} "$url/$end"
exit $status`

/** systemd expands `$` and `%` itself, even inside quotes, and converts a backslash at the end of a line to a space. */
export const systemd: SnippetWriter = (url) => {
  const unitUrl = url.replaceAll('%', '%%')
  return `[Service]
Type=oneshot
ExecStartPre=-/bin/sh -c '${CURL_START} ${unitUrl}/start'
ExecStart=/usr/local/bin/backup.sh
# The exit status, or a failure if a signal or a time limit ended the job; nothing if a condition kept it from running.
# Only root and members of systemd-journal can read the output, which is sent along.
ExecStopPost=-/bin/sh -c ' \\
  case $$SERVICE_RESULT in success) end=0 ;; exec-condition) exit ;; exit-code) end=$$EXIT_STATUS ;; *) end=fail ;; esac; \\
  journalctl -q -n 200 -o cat _SYSTEMD_INVOCATION_ID=$$INVOCATION_ID | tail -c ${OUTPUT_BYTES} | \\
  ${END} ${unitUrl}/$$end'`
}

export const kubernetes: SnippetWriter = (url, check, now) => {
  const { cron, tz, remark } = jobSchedule(check, 'kubernetes', now)
  return `${comment(remark)}apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "${cron}"
  timeZone: "${tz ?? 'Etc/UTC'}"
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          volumes: [{ name: ping, emptyDir: {} }]
          containers:
            - name: backup
              image: registry.example.org/backup   # with sh and curl in it
              volumeMounts: [{ name: ping, mountPath: /ping }]
              command: ["/bin/sh", "-c"]
              args:
                - |
                  url=${url}
                  ${CURL_START} "$url/start"
                  { /backup.sh; echo $? >/ping/code; } 2>&1 | tee /ping/output
                  code=$(cat /ping/code || echo 1)
                  tail -c ${OUTPUT_BYTES} /ping/output | ${END} "$url/$code"
                  exit $code`
}

/** The snippet sets `shell: bash`, because GitHub enables pipefail for bash, but not for the default shell. */
export const github: SnippetWriter = (url) => `steps:
  - name: Ping the start
    run: ${CURL_START} ${url}/start
    continue-on-error: true
    timeout-minutes: 1
  - name: Back up
    shell: bash   # without this line, the step does not fail when the job does
    run: ./backup.sh 2>&1 | tee "$RUNNER_TEMP/output"
  - name: Ping the end
    if: \${{ always() }}
    run: |
      { echo "The job: \${{ job.status }}"; tail -c ${OUTPUT_BYTES - 100} "$RUNNER_TEMP/output"; } |
      ${END} \${{ job.status == 'success' && '${url}' || '${url}/fail' }}
    continue-on-error: true
    timeout-minutes: 1`

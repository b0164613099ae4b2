/** Lines that ping from a job, with the check's own URL in them. */
import { type Html, html } from '../html.ts'
import { copyable } from './lists.ts'

/** Names of the snippets in addresses, and their words. */
const NAMES = {
  crontab: 'crontab',
  bash: 'bash',
  powershell: 'PowerShell',
  python: 'Python',
  node: 'Node',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  csharp: 'C#',
  systemd: 'systemd',
  kubernetes: 'Kubernetes',
  github: 'GitHub Actions',
} as const

export type Snippet = keyof typeof NAMES

/** bash for a name that is none. */
export function chooseSnippet(text: string | null): Snippet {
  return text !== null && Object.hasOwn(NAMES, text) ? (text as Snippet) : 'bash'
}

/** When a job runs. */
interface Rhythm {
  /** five fields; of a check with another kind of schedule an example */
  readonly cron: string
  /** IANA name of the zone of the expression */
  readonly tz: string
}

/**
 * A ping that fails must not break the job: each of these goes on then.
 * @param url of pings of the check: it has only letters, digits and what URLs need
 */
export const SNIPPETS: Readonly<Record<Snippet, (url: string, rhythm: Rhythm) => string>> = {
  crontab: (url, { cron }) => `${cron}  /usr/local/bin/backup.sh && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`,
  bash: (url) => `#!/bin/bash
url=${url}
curl -fsS -m 10 -o /dev/null "$url/start"
./backup.sh
curl -fsS -m 10 --retry 5 -o /dev/null "$url/$?"   # 0 is a success, anything else a failure`,
  powershell: (url) => `& .\\backup.ps1
Invoke-RestMethod -TimeoutSec 10 ${url} | Out-Null`,
  python: (url) => `import urllib.request

run_the_job()
try:
    urllib.request.urlopen("${url}", timeout=10).close()
except OSError as error:
    print("The ping failed:", error)`,
  node: (url) => `await runTheJob()
await fetch('${url}', { signal: AbortSignal.timeout(10_000) }).catch(console.error)`,
  go: (url) => `client := &http.Client{Timeout: 10 * time.Second}
if response, err := client.Get("${url}"); err == nil {
	response.Body.Close()
}`,
  php: (url) => `<?php
run_the_job();
$options = stream_context_create(['http' => ['timeout' => 10]]);
file_get_contents('${url}', false, $options);`,
  ruby: (url) => `require "net/http"

run_the_job
uri = URI("${url}")
begin
  Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", open_timeout: 10, read_timeout: 10) do |http|
    http.get(uri.request_uri)
  end
rescue StandardError => error
  warn "The ping failed: #{error.message}"
end`,
  csharp: (url) => `using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

RunTheJob();
try
{
    await client.GetStringAsync("${url}");
}
catch (Exception error)
{
    Console.Error.WriteLine($"The ping failed: {error.Message}");
}`,
  systemd: (url) => `[Service]
Type=oneshot
ExecStart=/usr/local/bin/backup.sh
# A job that a signal ended has no exit status.
ExecStopPost=-/bin/sh -c 'case $$EXIT_CODE in exited) end=$$EXIT_STATUS ;; *) end=fail ;; esac; exec curl -fsS -m 10 --retry 5 -o /dev/null ${url}/$$end'`,
  kubernetes: (url, { cron, tz }) => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "${cron}"
  timeZone: "${tz}"
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: backup
              image: registry.example.org/backup   # with sh and curl in it
              command: ["/bin/sh", "-c"]
              args:
                - |
                  /backup.sh
                  end=$?
                  curl -fsS -m 10 --retry 5 -o /dev/null ${url}/$end
                  exit $end`,
  github: (url) => `steps:
  - run: ./backup.sh
  - name: Ping
    if: \${{ always() }}
    run: curl -fsS -m 10 --retry 5 -o /dev/null \${{ job.status == 'success' && '${url}' || '${url}/fail' }}`,
}

const EXAMPLE: Rhythm = { cron: '0 2 * * *', tz: 'Etc/UTC' }

interface SnippetPicker {
  readonly chosen: Snippet
  readonly pingUrl: string
  /** by default every night */
  readonly rhythm?: Rhythm
}

/** All snippets, of which the style sheet shows the chosen one: no script, and no other page. */
export function snippetPicker({ chosen, pingUrl, rhythm = EXAMPLE }: SnippetPicker): Html {
  const names = Object.keys(NAMES) as Snippet[]
  const choices = names.map(
    (name) =>
      html`<label><input type="radio" name="snippet" value="${name}"${name === chosen && html` checked`}>${NAMES[name]}</label>`,
  )
  const snippets = names.map(
    (name) =>
      html`<div class="snip" data-snippet="${name}"><pre data-copy tabindex="0" role="group" aria-label="${NAMES[name]} snippet">${marked(SNIPPETS[name](pingUrl, rhythm), pingUrl)}</pre></div>`,
  )
  return html`<div class="snippets"><div class="seg" role="radiogroup" aria-label="Snippet for">${choices}</div>
${snippets}</div>`
}

/** The lines with the URL stand out. */
function marked(text: string, pingUrl: string): Html {
  const lines = text
    .split('\n')
    .map((line) => (line.includes(pingUrl) || line.includes('$url') ? html`<b>${line}</b>` : line))
  return html`${lines.map((line, index) => (index === 0 ? line : ['\n', line]))}`
}

/** The ping URL, to be copied. @param key that copies it */
export function pingUrlField(pingUrl: string, key?: string): Html {
  return html`<div class="field"><span class="label">Ping URL</span>${copyable(pingUrl, 'Ping URL', key)}</div>`
}

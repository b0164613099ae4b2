/** Lines that ping from a job, with the check's own URL in them. */
import { type Html, html } from '../html.ts'
import { copyable } from './lists.ts'

/** Names of the snippets in addresses, and their words. */
const NAMES = {
  bash: 'bash',
  crontab: 'crontab',
  powershell: 'PowerShell',
  python: 'Python',
  node: 'Node',
  go: 'Go',
  systemd: 'systemd',
  kubernetes: 'Kubernetes',
  github: 'GitHub Actions',
} as const

export type Snippet = keyof typeof NAMES

/** The first one for a name that is none. */
export function chooseSnippet(text: string | null): Snippet {
  return text !== null && Object.hasOwn(NAMES, text) ? (text as Snippet) : 'bash'
}

/** @param url of pings of the check: it has only letters, digits and what URLs need */
export const SNIPPETS: Readonly<Record<Snippet, (url: string) => string>> = {
  bash: (url) => `#!/bin/bash
url=${url}
curl -fsS -m 10 "$url/start"
./backup.sh
curl -fsS -m 10 --retry 5 "$url/$?"   # 0 is a success, anything else a failure`,
  crontab: (url) => `0 2 * * *  /usr/local/bin/backup.sh && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`,
  powershell: (url) => `& .\\backup.ps1
Invoke-RestMethod -TimeoutSec 10 -MaximumRetryCount 5 -RetryIntervalSec 5 ${url}`,
  python: (url) => `import urllib.request

run_the_job()
urllib.request.urlopen("${url}", timeout=10)`,
  node: (url) => `await runTheJob()
await fetch('${url}', { signal: AbortSignal.timeout(10_000) })`,
  go: (url) => `client := &http.Client{Timeout: 10 * time.Second}
if response, err := client.Get("${url}"); err == nil {
	response.Body.Close()
}`,
  systemd: (url) => `[Service]
ExecStart=/usr/local/bin/backup.sh
ExecStopPost=/bin/sh -c 'curl -fsS -m 10 --retry 5 ${url}/$$EXIT_STATUS'`,
  kubernetes: (url) => `command: ["/bin/sh", "-c"]
args: ["/backup.sh; curl -fsS -m 10 --retry 5 ${url}/$?"]`,
  github: (url) => `- name: Ping
  if: \${{ always() }}
  run: curl -fsS -m 10 --retry 5 \${{ job.status == 'success' && '${url}' || '${url}/fail' }}`,
}

export interface SnippetPicker {
  /** the page that it is on, with the path of SITE_ROOT */
  readonly href: string
  readonly chosen: Snippet
  readonly pingUrl: string
}

/** The chosen snippet, and links to the others: the address says which one, so it works without the script. */
export function snippetPicker({ href, chosen, pingUrl }: SnippetPicker): Html {
  const links = Object.entries(NAMES).map(
    ([name, words]) =>
      html`<a href="${href}?snippet=${name}"${name === chosen && html` aria-current="true"`}>${words}</a>`,
  )
  return html`<nav class="seg" aria-label="Snippet for">${links}</nav>
<div class="snip"><pre data-copy tabindex="0" role="group" aria-label="${NAMES[chosen]} snippet">${SNIPPETS[chosen](pingUrl)}</pre></div>
<div class="field"><span class="label">Ping URL</span>${copyable(pingUrl, 'Ping URL')}</div>`
}

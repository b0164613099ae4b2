/** Snippets for pinging a check from a job. They contain the check's ping URL. */
import type { CheckTiming } from '../../../domain/job-schedule/job-schedule.ts'
import type { Instant } from '../../../lib/time.ts'
import { type Html, html } from '../html.ts'
import { copyable } from './lists.ts'
import { bash, crontab, github, kubernetes, powershell, systemd } from './snippets/commands.ts'
import { csharp, go, node, php, python, ruby } from './snippets/programs.ts'
import type { SnippetWriter } from './snippets/snippet.ts'
import { wrapper } from './snippets/wrapper.ts'

/** Snippet labels, by the snippet's name in URLs. */
const NAMES = {
  crontab: 'crontab',
  bash: 'bash',
  wrapper: 'overdue run',
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

/** Returns a snippet's name; `bash` if the name is unknown. */
export function chooseSnippet(text: string | null): Snippet {
  return text !== null && Object.hasOwn(NAMES, text) ? (text as Snippet) : 'bash'
}

export const SNIPPETS: Readonly<Record<Snippet, SnippetWriter>> = {
  crontab,
  bash,
  wrapper,
  powershell,
  python,
  node,
  go,
  php,
  ruby,
  csharp,
  systemd,
  kubernetes,
  github,
}

interface SnippetPicker {
  readonly chosen: Snippet
  readonly pingUrl: string
  readonly check: CheckTiming
  readonly now: Instant
  readonly siteRoot: string
}

/**
 * Renders all snippets. The style sheet shows only the selected snippet, so selecting another one requires neither a script nor another
 * page.
 */
export function snippetPicker({ chosen, pingUrl, check, now, siteRoot }: SnippetPicker): Html {
  const names = Object.keys(NAMES) as Snippet[]
  const choices = names.map(
    (name) =>
      html`<label><input type="radio" name="snippet" value="${name}"${name === chosen && html` checked`}>${NAMES[name]}</label>`,
  )
  const snippets = names.map(
    (name) =>
      html`<div class="snip" data-snippet="${name}"><pre data-copy tabindex="0" role="group" aria-label="${NAMES[name]} snippet">${marked(SNIPPETS[name](pingUrl, check, now, siteRoot), pingUrl)}</pre></div>`,
  )
  return html`<div class="snippets"><div class="seg" role="radiogroup" aria-label="Snippet for">${choices}</div>
${snippets}</div>`
}

/** Highlights the lines that contain the URL. */
function marked(text: string, pingUrl: string): Html {
  const lines = text
    .split('\n')
    .map((line) => (line.includes(pingUrl) || line.includes('$url') ? html`<b>${line}</b>` : line))
  return html`${lines.map((line, index) => (index === 0 ? line : ['\n', line]))}`
}

/** Renders the ping URL with a copy button. @param key keyboard shortcut that copies the URL */
export function pingUrlField(pingUrl: string, key?: string): Html {
  return html`<div class="field"><span class="label">Ping URL</span>${copyable(pingUrl, 'Ping URL', key)}</div>`
}

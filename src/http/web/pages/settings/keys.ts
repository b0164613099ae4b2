/** The card that lists a project's API keys and creates new ones. */

import type { ApiKeyKind } from '../../../../domain/key-kind.ts'
import { KEY_NAME_LIMIT, type StoredKey } from '../../../../domain/project.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { selectField, textField } from '../../parts/forms/fields.ts'
import { card } from '../../parts/lists.ts'
import { bdi } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { FormProblems } from '../forms.ts'
import { KEYS, revokePath } from './paths.ts'

const KIND_WORDS: Readonly<Record<ApiKeyKind, string>> = { 'read-write': 'Read-write', 'read-only': 'Read-only' }
export const API_KEY_KINDS = ['read-write', 'read-only'] as const satisfies readonly ApiKeyKind[]

/** The values that the user typed into the form. */
export interface KeyValues {
  readonly name: string
  readonly kind: ApiKeyKind
}

interface KeysData extends PageContext {
  readonly slug: string
  /** the project's API keys, without ping keys */
  readonly keys: readonly StoredKey[]
  readonly values: KeyValues
  readonly problems: FormProblems
}

export function keysCard(data: KeysData): Html {
  const { href, slug, keys, values, problems } = data
  const body = html`<div class="stack"><p>Programs need a key to use the <a href="${href('/docs/api')}">API</a>. Read-only keys don’t reveal ping URLs. Use them for metrics and walls.</p>
${keys.length > 0 && keyTable(data)}
<form class="form" method="post" action="${href(projectPath(slug, KEYS))}">
${textField({
  name: 'key-name',
  label: 'Name of a new key',
  value: values.name,
  maxLength: KEY_NAME_LIMIT,
  help: 'What uses the key, such as Grafana. This helps when you want to revoke a key.',
  error: problems.fields['key-name'],
  hasFocus: problems.fields['key-name'] !== undefined,
})}
${selectField({ name: 'key-kind', label: 'Access', value: values.kind, options: API_KEY_KINDS.map((kind) => [kind, KIND_WORDS[kind]]) })}
<div class="acts">${submit({ text: 'Create API key' })}</div>
</form></div>`
  return card({ title: 'API keys', body })
}

function keyTable({ href, slug, keys, now, tz }: KeysData): Html {
  const rows = keys.map((key) => {
    const used =
      key.lastUsedAt === null ? html`<span class="muted">never</span>` : relativeTime(key.lastUsedAt, now, tz)
    const revoke = linkButton({
      text: 'Revoke…',
      isSmall: true,
      label: `Revoke… the key ${key.name || key.hint}`,
      href: href(revokePath(slug, key.lookup)),
    })
    return html`<tr><th scope="row">${key.name === '' ? html`<i>no name</i>` : bdi(key.name)}</th><td>${kindWords(key)}</td><td data-name="Begins with"><code>${key.hint}…</code></td><td data-name="Last used">${used}</td><td data-name="Created">${relativeTime(key.createdAt, now, tz)}</td><td class="act">${revoke}</td></tr>
`
  })
  return html`<div class="scroll" tabindex="0" role="group" aria-label="API keys"><table class="table stacks"><thead><tr><th scope="col">Name</th><th scope="col">Access</th><th scope="col">Begins with</th><th scope="col">Last used</th><th scope="col">Created</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

/** Returns a key's name for use in a sentence. If the key has no name, its first characters are used. */
export function nameOf({ name, hint }: StoredKey): Html {
  return name === '' ? html`<code>${hint}…</code>` : bdi(name)
}

function kindWords({ kind }: StoredKey): string {
  return kind === 'ping' ? 'Pings by slug' : KIND_WORDS[kind]
}

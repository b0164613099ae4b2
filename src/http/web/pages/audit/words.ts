/** Wording for the audit log's filters, authors and changed values. The sentences for entries are built in `sentence.ts`. */
import type { AuditAction, AuditEntry, AuditSubjectKind, AuditValues } from '../../../../domain/audit/audit.ts'
import type { Author } from '../../../../domain/author.ts'
import { type Html, html } from '../../html.ts'
import { bdi, shown, shownLines } from '../../parts/words/text.ts'

export const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  create: 'Created',
  edit: 'Changed',
  delete: 'Deleted',
  export: 'Exported',
}

export const KIND_WORDS: Readonly<Record<AuditSubjectKind, string>> = {
  check: 'check',
  channel: 'integration',
  delivery: 'alert',
  incident: 'incident',
  silence: 'mute',
  project: 'project',
  member: 'member',
  key: 'API or ping key',
  'status-page': 'status page',
  account: 'account',
  session: 'sign-in',
  identity: 'single sign-on',
  passkey: 'passkey',
  invitation: 'invitation',
  'ownership-offer': 'offer of ownership',
  backup: 'backup',
  'mail-server': 'mail server',
}

export function authorName({ kind, name }: Pick<Author, 'kind' | 'name'>): Html {
  if (kind === 'command') return html`A command`
  return kind === 'key' ? html`The API key <code>${shown(name)}</code>` : bdi(name)
}

/**
 * Renders a table of the changed fields with their old and new values. The table uses the API's field names. Returns '' if no fields
 * changed.
 */
export function auditValues({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Html {
  const columns = [
    ...(before === null ? [] : [{ head: 'Before', values: before }]),
    ...(after === null ? [] : [{ head: 'After', values: after }]),
  ]
  const fields = [...new Set(columns.flatMap(({ values }) => Object.keys(values)))]
  if (fields.length === 0) return html``
  const rows = fields.map((field) => {
    const cells = columns.map(({ values }) => html`<td>${valueWords(values[field])}</td>`)
    return html`<tr><th scope="row"><code>${field}</code></th>${cells}</tr>`
  })
  const heads = columns.map(({ head }) => html`<th scope="col">${head}</th>`)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Values"><table class="table"><thead><tr><th scope="col">Field</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function valueWords(value: AuditValues[string] | undefined): Html {
  if (value === null || value === undefined) return html`<i>none</i>`
  if (typeof value === 'boolean') return value ? html`yes` : html`no`
  if (typeof value === 'number') return html`${value}`
  const text = typeof value === 'string' ? value : value.join('\n')
  return text === '' ? html`<i>empty</i>` : html`<bdi class="kept">${shownLines(text)}</bdi>`
}

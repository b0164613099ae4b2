/** The list of changes in the audit log, and its filters. */
import { AUDIT_ACTIONS, AUDIT_SUBJECT_KINDS } from '../../../../domain/audit/audit.ts'
import { authorWords, type PlacedAuditEntry } from '../../../../domain/audit/audit-list.ts'
import type { AuditList } from '../../../../services/audit.ts'
import type { PageContext } from '../../context.ts'
import { type Html, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { selectField, textField } from '../../parts/forms/fields.ts'
import { keyValues } from '../../parts/lists.ts'
import { bdi } from '../../parts/words/text.ts'
import { exactTime, relativeTime, zoneLine } from '../../parts/words/times.ts'
import { type AuditSearch, searchOf, TEXT_LIMIT } from './query.ts'
import { auditSentence } from './sentence.ts'
import { ACTION_WORDS, auditValues, authorName, KIND_WORDS } from './words.ts'

export interface AuditData extends PageContext {
  /** the list's local path, without the SITE_ROOT path prefix */
  readonly path: string
  readonly search: AuditSearch
  readonly list: AuditList
  /** project names by id; null on a single project's page */
  readonly projects: ReadonlyMap<string, string> | null
}

/** Renders the content below the heading. */
export function auditBody(data: AuditData): Html {
  const { path, search, list, href, tz } = data
  const { entries, next } = list
  const older = next && href(path + searchOf({ ...search, after: next }))
  const rows = entries.map((entry) => row(data, entry))
  return html`${filters(data)}
${rows.length > 0 ? html`<ul class="card audit" aria-label="Changes">${rows}</ul>` : nothing(data)}
${older !== null && html`<p class="rest">${linkButton({ text: rows.length > 0 ? 'Older' : 'Look further back', href: older })}</p>`}${zoneLine(tz)}`
}

/** Renders the button that downloads the filtered changes. */
export function exportButton({ path, search, href }: AuditData): Html {
  return linkButton({ text: 'Export', href: href(`${path}.jsonl${searchOf({ ...search, after: null })}`) })
}

function nothing({ list, search, href, path }: AuditData): Html {
  if (list.next !== null) return html`<p class="rest">None of the newest changes matches.</p>`
  if (searchOf({ ...search, after: null }) === '') {
    return empty({ title: 'No changes yet', text: 'Changes by people, API keys and commands appear here.' })
  }
  const clear = linkButton({ text: 'Clear', href: href(path) })
  return empty({ title: 'No changes match', text: 'Try a different name, action or time.', actions: clear })
}

function filters({ path, search, href }: AuditData): Html {
  const { text, who, action, kind, since, until } = search
  const actions = AUDIT_ACTIONS.map((each) => [each, ACTION_WORDS[each]] as const)
  const kinds = AUDIT_SUBJECT_KINDS.map((each) => [each, KIND_WORDS[each]] as const)
  const isFiltered = searchOf({ ...search, after: null }) !== ''
  return html`<form class="card audit-filters" role="search" action="${href(path)}" aria-label="Filter the audit log">
${textField({ name: 'q', label: 'Name', type: 'search', value: text, maxLength: TEXT_LIMIT })}
${textField({ name: 'who', label: 'Who', type: 'search', value: who, maxLength: TEXT_LIMIT, isCode: true })}
${selectField({ name: 'kind', label: 'What', value: kind ?? '', options: [['', 'everything'], ...kinds] })}
${selectField({ name: 'action', label: 'Action', value: action ?? '', options: [['', 'all'], ...actions] })}
${dayField('since', 'From', since)}${dayField('until', 'Until', until)}
<div class="acts">${submit({ text: 'Show' })}${isFiltered && linkButton({ text: 'Clear', look: 'quiet', href: href(path) })}</div>
</form>`
}

function dayField(name: string, label: string, value: string): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input class="in" type="date" id="${name}" name="${name}" value="${value}"></div>`
}

function row(data: AuditData, entry: PlacedAuditEntry): Html {
  const { projects, now, tz } = data
  const { author, projectId } = entry
  const project = projects !== null && projectId !== null && (projects.get(projectId) ?? null)
  const place = project && html` <span class="muted">in ${bdi(project)}</span>`
  return html`<li><details><summary><span class="what">${auditSentence(entry)}${place}</span><span class="when">${relativeTime(author.at, now, tz)}</span></summary>
${facts(data, entry)}${auditValues(entry)}</details></li>`
}

function facts({ path, search, href, tz }: AuditData, { author, subject }: PlacedAuditEntry): Html {
  const others = href(path + searchOf({ ...search, who: authorWords(author), after: null }))
  return keyValues([
    ['Time', exactTime(author.at, tz)],
    ['Who', html`${authorName(author)} <a href="${others}">all changes by this author</a>`],
    ['Address', author.address ?? 'unknown'],
    ['Id', html`<code>${subject.id}</code>`],
    ['Change', html`<code>${author.changeId}</code>`],
  ])
}

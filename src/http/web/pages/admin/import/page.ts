/** The import page: the form, an import's progress, and its report. */
import {
  groupNotes,
  type ImportNote,
  type ImportNoteKind,
  type NoteGroup,
} from '../../../../../domain/import/import-note.ts'
import type { AdminImportState } from '../../../../../import/engine/admin-import.ts'
import type { ImportReport, ReportedProject } from '../../../../../import/engine/report.ts'
import type { ImportedProgram } from '../../../../../services/common/ports/import-places.ts'
import type { Href } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { formButton, submit } from '../../../parts/forms/buttons.ts'
import { areaField, common, labelled, selectField, textField } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import { alertNote, note } from '../../../parts/notes.ts'
import { bdi, counted, sentence } from '../../../parts/words/text.ts'
import type { FrameContent } from '../../../route.ts'
import type { FormProblems } from '../../forms.ts'
import { ADMIN_TABS, adminTabs } from '../tabs.ts'

/** Reload interval while an import is in progress, in seconds. */
export const REFRESH_SECONDS = 2

export interface ImportFormValues {
  readonly program: ImportedProgram
  readonly at: string
}

export const NOTHING_CHOSEN: ImportFormValues = { program: 'healthchecks', at: '' }

interface ImportPageData {
  readonly href: Href
  readonly state: AdminImportState
  /** false if other instances use this database. They would not know about an import that runs on this instance. */
  readonly isAlone: boolean
  readonly values: ImportFormValues
  readonly problems: FormProblems
}

export function importPage(data: ImportPageData): FrameContent {
  const { href, state } = data
  return {
    layout: 'frame',
    help: 'moving-in#on-a-page',
    title: ADMIN_TABS.import.title,
    intro:
      'Projects of Healthchecks or another Overdue are imported completely: checks with their UUIDs, keys, integrations, members and history. From Uptime Kuma, only push monitors are imported. You see a report before anything is written. The import sends no alerts.',
    isNarrow: true,
    body: html`<div class="stack">${adminTabs(href, 'import')}${stateHtml(href, state)}${isOpen(state) && (data.isAlone ? form(data) : byCommand(href))}</div>`,
  }
}

/**
 * Explains how to import from the command line. The form cannot be used here, because the next request might reach an instance that does
 * not have the uploaded data.
 */
function byCommand(href: Href): Html {
  return card({
    title: 'Import by command',
    body: html`<div class="stack"><p>Several instances run on this database, but an import runs on only one of them. Run this command on one of the machines, with the settings of the server:</p>
<p><code>overdue import healthchecks</code></p>
<p>Before it imports, it reports what would happen. <a href="${href('/docs/moving-in')}">Moving in</a> describes its options and the order of the steps.</p></div>`,
  })
}

/** Returns whether a new import can be started. */
function isOpen({ kind }: AdminImportState): boolean {
  return kind === 'empty' || kind === 'applied' || kind === 'failed'
}

function stateHtml(href: Href, state: AdminImportState): Html | false {
  switch (state.kind) {
    case 'empty':
      return false
    case 'reading':
      return underWay(href, html`<p role="status">Reading. The report appears here when it is ready.</p>`, 'Stop')
    case 'applying': {
      const part = html`<progress max="${Math.max(state.rows, 1)}" value="${state.done}" aria-label="Pings"></progress>`
      const words = html`${state.done.toLocaleString('en')} of about ${counted(state.rows, 'ping', 'pings')}`
      return underWay(href, html`${part}<p role="status">${words} imported.</p>`, 'Stop import')
    }
    case 'read':
      return html`${reportHtml(href, state.report)}<div class="acts">${formButton({ text: 'Import all of this', look: 'primary', action: href(`${ADMIN_TABS.import.path}/apply`) })}${discard(href, 'Discard')}</div>`
    case 'applied':
      return html`${note('up', html`Imported. Nothing was sent.`)}${reportHtml(href, state.report)}`
    case 'failed':
      return failed(state)
  }
}

function underWay(href: Href, what: Html, stop: string): Html {
  return card({
    title: 'Import in progress',
    body: html`<div class="stack">${what}<div class="acts">${discard(href, stop)}</div></div>`,
  })
}

function discard(href: Href, text: string): Html {
  return formButton({ text, look: 'quiet', action: href(`${ADMIN_TABS.import.path}/discard`) })
}

function failed({ words, problems }: Extract<AdminImportState, { kind: 'failed' }>): Html {
  const list =
    problems.length > 0 &&
    html`<ul class="bullets">${problems.map((problem) => html`<li>${bdi(sentence(problem))}</li>`)}</ul>`
  return html`${alertNote(html`The import has stopped. ${bdi(sentence(words))}`)}${list}`
}

const PROGRAMS: readonly (readonly [ImportedProgram, string])[] = [
  ['healthchecks', 'Healthchecks: its database'],
  ['healthchecks-server', 'Healthchecks: a running server, by its API'],
  ['uptime-kuma', 'Uptime Kuma: push monitors in its database'],
  ['project', 'Overdue: an exported project'],
]

function form({ href, state, values, problems }: ImportPageData): Html {
  const file = {
    name: 'file',
    label: 'File',
    help: 'A SQLite file, a plain pg_dump (also .gz), or an exported project; at most 4 GiB.',
  }
  const input = html`<input class="in" type="file" id="file" name="file"${common(file)}>`
  return card({
    title: state.kind === 'applied' ? 'Another import' : 'Source',
    body: html`<form class="form" method="post" enctype="multipart/form-data" action="${href(ADMIN_TABS.import.path)}">
${problems.whole !== null && alertNote(problems.whole)}
${selectField({ name: 'program', label: 'From', value: values.program, options: PROGRAMS })}
${textField({ name: 'at', label: 'Location', value: values.at, isCode: true, help: 'A path on this server, postgres://user:password@host/name, or the URL of a running server. Leave this empty to upload a file.' })}
${textField({ name: 'secret', label: 'SECRET_KEY of the source', type: 'password', help: 'With it, API keys and badges keep working. The report lists what stops working without it.' })}
${areaField({ name: 'keys', label: 'API keys of a running server', value: '', rows: 2, isCode: true, help: 'One read-write key per project, one per line.' })}
${labelled(file, input)}
${submit({ text: 'Read and report', look: 'primary' })}
</form>`,
  })
}

function reportHtml(href: Href, report: ImportReport): Html {
  const { projects, notes, accounts, from, pings } = report
  const rows = projects.map((project) => projectRow(href, project, report.isApplied))
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Projects"><table class="table stacks"><thead><tr><th scope="col">Project</th><th scope="col">Import</th><th scope="col">Checks</th><th scope="col">Integrations</th><th scope="col">Planned maintenance</th><th scope="col">Keys</th><th scope="col">Members</th></tr></thead><tbody>${rows}</tbody></table></div>`
  const emails = (list: readonly string[]) => html`<ul>${list.map((email) => html`<li>${bdi(email)}</li>`)}</ul>`
  return html`${card({
    title: report.isApplied ? 'Report' : 'What would happen',
    body: html`<div class="stack"><p>From ${bdi(from)}: ${counted(projects.length, 'project', 'projects')}, about ${counted(pings, 'ping', 'pings')}.</p>${projects.length > 0 && table}
${accounts.new.length > 0 && html`<p>New accounts:</p>${emails(accounts.new)}`}
${accounts.withoutPassword.length > 0 && html`<p>These people cannot use their old password here. Send each a link from Accounts afterwards:</p>${emails(accounts.withoutPassword)}`}
${accounts.administrators.length > 0 && html`<p>${report.isApplied ? 'These people are administrators of this server now:' : 'These people become administrators of this server:'}</p>${emails(accounts.administrators)}`}</div>`,
  })}
${noteCards(notes)}`
}

function projectRow(href: Href, project: ReportedProject, isApplied: boolean): Html {
  const { id, name, isNew, checks, grownChecks, channels, silences, keys, members } = project
  const shown = isApplied || !isNew ? html`<a href="${href(`/projects/${id}/checks/`)}">${bdi(name)}</a>` : bdi(name)
  const comes = isNew ? 'new' : checks + grownChecks > 0 ? 'gets new data' : 'imported before, nothing new'
  const cells = isNew ? [checks, channels, silences, keys, members] : [checks + grownChecks, '–', '–', '–', '–']
  const heads = ['Checks', 'Integrations', 'Planned maintenance', 'Keys', 'Members']
  return html`<tr><th scope="row">${shown}</th><td data-name="Import">${comes}</td>${cells.map((cell, index) => html`<td data-name="${heads[index] ?? ''}">${cell}</td>`)}</tr>`
}

const TITLES: Readonly<Record<ImportNoteKind, string>> = {
  'to-do': 'To do',
  'left-out': 'Not imported',
  changed: 'Imported with changes',
}
/** Maximum number of notes to list. The rest are summarized as a count. */
const NOTES_SHOWN = 200

function noteCards(notes: readonly ImportNote[]): Html {
  const kinds = (['to-do', 'left-out', 'changed'] as const).filter((kind) => notes.some((each) => each.kind === kind))
  return html`${kinds.map((kind) => {
    const ofKind = groupNotes(notes.filter((each) => each.kind === kind))
    const more = ofKind.length - NOTES_SHOWN
    return card({
      title: TITLES[kind],
      body: html`<ul class="bullets">${ofKind.slice(0, NOTES_SHOWN).map(noteLine)}</ul>${more > 0 && html`<p>and ${more} more; the command line lists all.</p>`}`,
    })
  })}`
}

/** Maximum number of names to list in a note. */
const ROWS_SHOWN = 20

function noteLine({ subject, reason, advice, rows }: NoteGroup): Html {
  const said = html`${bdi(reason)}${advice !== null && html` ${bdi(advice)}`}`
  const names = rows.slice(0, ROWS_SHOWN).map(({ name, project }, index) => {
    const where = project !== null && html` of ${bdi(project)}`
    return html`${index > 0 && ', '}<b>${bdi(name)}</b>${where}`
  })
  const more = rows.length - ROWS_SHOWN
  return html`<li>${subject} ${names}${more > 0 && ` and ${more} more`}: ${said}</li>`
}

/** Formats the report of an import as text and as JSON. */
import { count } from '../../domain/duration.ts'
import { groupNotes, type ImportNote, type ImportNoteKind, type NoteGroup } from '../../domain/import/import-note.ts'
import type { ImportReport, ReportedProject } from '../../import/engine/report.ts'
import type { Cell, Shown } from '../terminal/screen.ts'

type Parts = Exclude<Shown, string>

const HEAD: readonly Cell[] = [
  'PROJECT',
  '',
  'CHECKS',
  'CHANNELS',
  'SILENCES',
  'KEYS',
  'MEMBERS',
  'PINGS',
  'FLIPS',
  'ALERTS',
]

export function importWords(report: ImportReport, seconds: number): Shown {
  const { projects } = report
  return [
    `From ${report.from}: ${count(projects.length, 'project')}, about ${count(report.pings, 'ping')}`,
    ...(projects.length > 0 ? ['', { rows: [HEAD, ...projects.map(projectRow)] }] : []),
    ...accountWords(report),
    ...noteWords(report.notes),
    '',
    report.isApplied
      ? `Done in ${seconds.toFixed(1)} s. Nothing was sent.`
      : 'Nothing was written. Run the same command with --apply to import.',
  ]
}

function projectRow(project: ReportedProject): readonly Cell[] {
  const { name, isNew, checks, grownChecks, channels, silences, keys, members, history } = project
  const comes = isNew ? 'new' : grownChecks + checks > 0 ? 'gets new data' : 'already here, nothing new'
  const counts = isNew ? [checks, channels, silences, keys, members] : [checks + grownChecks, null, null, null, null]
  const written = [history?.pings, history?.flips, history?.alerts]
  return [{ name }, comes, ...[...counts, ...written].map((rows) => (rows == null ? null : rows.toLocaleString('en')))]
}

function accountWords({ accounts, isApplied }: ImportReport): Parts {
  const { administrators, withoutPassword } = accounts
  if (accounts.new.length + accounts.here.length === 0) return []
  const shown = (email: string) => (administrators.includes(email) ? `${email} (administers this server)` : email)
  const lines = [
    ...accounts.new.map((email) => `  new: ${shown(email)}`),
    ...accounts.here.map((email) => `  already here, unchanged: ${email}`),
  ]
  const resets = withoutPassword.map((email) => `  overdue account reset ${email}`)
  const when = isApplied ? 'Now run' : 'Run afterwards'
  const advice = `Overdue cannot check the old passwords of these accounts. ${when}, and give each person their link:`
  return ['', 'Accounts', ...lines, ...(resets.length > 0 ? [advice, ...resets] : [])]
}

const TITLES: Readonly<Record<ImportNoteKind, string>> = {
  changed: 'Imported with changes',
  'left-out': 'Not imported',
  'to-do': 'To do',
}

/** Formats notes in groups by kind, with an empty line before each group. */
export function noteWords(notes: readonly ImportNote[]): Parts {
  return (['changed', 'left-out', 'to-do'] as const).flatMap((kind) => {
    const ofKind = groupNotes(notes.filter((note) => note.kind === kind))
    return ofKind.length === 0 ? [] : ['', TITLES[kind], ...ofKind.flatMap(noteLines)]
  })
}

/** Formats notes. If a text applies to several rows, it is printed once, before the rows. */
function noteLines({ subject, reason, advice, rows }: NoteGroup): string[] {
  const said = [reason, advice].filter((words) => words !== null).join(' ')
  const names = rows.map(({ name, project }) => `${name}${project === null ? '' : ` of project "${project}"`}`)
  const [only, ...others] = names
  if (others.length === 0) return [`  ${subject} ${only ?? ''}: ${said}`]
  return [`  ${subject}: ${said}`, ...names.map((name) => `    ${name}`)]
}

/** @param seconds duration of the import */
export function importJson(report: ImportReport, seconds: number) {
  const { accounts, projects, notes } = report
  return {
    from: report.from,
    applied: report.isApplied,
    seconds,
    pings_about: report.pings,
    projects: projects.map(({ id, name, isNew, grownChecks, history, ...counts }) => ({
      ...{ id, name, new: isNew, ...counts },
      grown_checks: grownChecks,
      history,
    })),
    accounts: {
      new: accounts.new,
      here: accounts.here,
      administrators: accounts.administrators,
      without_password: accounts.withoutPassword,
    },
    notes,
  }
}

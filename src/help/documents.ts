/**
 * The documents from this repository that the server shows below `/docs`. The imports embed the documents' text in a compiled executable.
 * The text is large, so import this module only when it is needed.
 */
import changelog from '../../CHANGELOG.md' with { type: 'text' }
import addATransport from '../../docs/add-a-transport.md' with { type: 'text' }
import api from '../../docs/api.md' with { type: 'text' }
import architecture from '../../docs/architecture.md' with { type: 'text' }
import backup from '../../docs/backup.md' with { type: 'text' }
import badges from '../../docs/badges.md' with { type: 'text' }
import channels from '../../docs/channels.md' with { type: 'text' }
import cli from '../../docs/cli.md' with { type: 'text' }
import compatibility from '../../docs/compatibility.md' with { type: 'text' }
import glossary from '../../docs/glossary.md' with { type: 'text' }
import growing from '../../docs/growing.md' with { type: 'text' }
import internals from '../../docs/internals.md' with { type: 'text' }
import jobs from '../../docs/jobs.md' with { type: 'text' }
import mailPings from '../../docs/mail-pings.md' with { type: 'text' }
import measurements from '../../docs/measurements.md' with { type: 'text' }
import monitoring from '../../docs/monitoring.md' with { type: 'text' }
import movingIn from '../../docs/moving-in.md' with { type: 'text' }
import operate from '../../docs/operate.md' with { type: 'text' }
import pages from '../../docs/pages.md' with { type: 'text' }
import projectFile from '../../docs/project-file.md' with { type: 'text' }
import releasing from '../../docs/releasing.md' with { type: 'text' }
import schedules from '../../docs/schedules.md' with { type: 'text' }
import settings from '../../docs/settings.md' with { type: 'text' }
import singleSignOn from '../../docs/single-sign-on.md' with { type: 'text' }
import statusPage from '../../docs/status-page.md' with { type: 'text' }
import testing from '../../docs/testing.md' with { type: 'text' }
import threatModel from '../../docs/threat-model.md' with { type: 'text' }
import upgrading from '../../docs/upgrading.md' with { type: 'text' }
import readme from '../../README.md' with { type: 'text' }

export interface HelpDocument {
  /** the document's name in URLs and in links from other documents, without `.md` */
  readonly name: string
  /** text of the document's first heading */
  readonly title: string
  /** the document's Markdown source */
  readonly text: string
}

export interface HelpGroup {
  readonly title: string
  /** score multiplier for search hits; below 1 for documents about changing the code, because most readers only run Overdue */
  readonly weight: number
  readonly documents: readonly HelpDocument[]
}

/** The documents, grouped by audience and listed in suggested reading order. */
export const HELP: readonly HelpGroup[] = [
  {
    title: 'Using it',
    weight: 1,
    documents: [
      document('overview', readme),
      document('pages', pages),
      document('schedules', schedules),
      document('channels', channels),
      document('jobs', jobs),
      document('mail-pings', mailPings),
      document('badges', badges),
      document('status-page', statusPage),
      document('project-file', projectFile),
      document('glossary', glossary),
    ],
  },
  {
    title: 'With programs',
    weight: 1,
    documents: [document('management-api', api), document('cli', cli), document('monitoring', monitoring)],
  },
  {
    title: 'Running it',
    weight: 1,
    documents: [
      document('operate', operate),
      document('settings', settings),
      document('single-sign-on', singleSignOn),
      document('backup', backup),
      document('upgrading', upgrading),
      document('moving-in', movingIn),
      document('growing', growing),
      document('compatibility', compatibility),
    ],
  },
  {
    title: 'How it is made',
    weight: 0.3,
    documents: [
      document('architecture', architecture),
      document('internals', internals),
      document('threat-model', threatModel),
      document('add-a-transport', addATransport),
      document('measurements', measurements),
      document('testing', testing),
      document('releasing', releasing),
      document('changelog', changelog),
    ],
  },
]

/** Documents whose name in URLs differs from their file name. `/docs/api` is the API reference, so `docs/api.md` needs another name. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['README.md', 'overview'],
  ['CHANGELOG.md', 'changelog'],
  ['docs/api.md', 'management-api'],
])

function document(name: string, text: string): HelpDocument {
  const [, title = name] = /^# (.+)$/m.exec(text) ?? []
  return { name, title, text }
}

/** @returns null if there is no such document */
export function findDocument(name: string): HelpDocument | null {
  return HELP.flatMap(({ documents }) => documents).find((each) => each.name === name) ?? null
}

/**
 * @param file path in the repository, such as `docs/backup.md`
 * @returns null if the help does not include this file
 */
export function documentOfFile(file: string): HelpDocument | null {
  const [, name = ''] = /^docs\/([\w-]+)\.md$/.exec(file) ?? []
  return findDocument(NAMES.get(file) ?? name)
}

/** Returns the directory that relative links in the document start from. */
export function folderOf({ name }: HelpDocument): '' | 'docs/' {
  return name === 'overview' || name === 'changelog' ? '' : 'docs/'
}

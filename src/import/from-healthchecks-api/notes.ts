/** Notes about data that the API does not return. */
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedChannel } from '../../domain/import/import-source.ts'

type Row = readonly [kind: ImportNote['kind'], subject: string, reason: string, advice: string | null]

const STANDING: readonly Row[] = [
  ['left-out', 'member', 'The API does not list the members.', 'Invite them.'],
  [
    'left-out',
    'ping key',
    'The API does not contain it.',
    'Ping by UUID, or create a ping key and change the jobs that ping by slug.',
  ],
  ['left-out', 'API key', 'The API lists no keys. Only the key of the import is known.', 'Make new ones.'],
  ['left-out', 'alert', 'The API does not list the alerts that were sent.', null],
  ['changed', 'exit status', 'The API does not contain it. A failure is imported without its exit status.', null],
  [
    'changed',
    'flip',
    'The API says only whether the check was up afterwards. The import derives from status and pings whether it went down, was paused or was resumed.',
    null,
  ],
  [
    'changed',
    'date of creation',
    'The API does not contain it. Checks keep their order, and get the date of the oldest ping of the project.',
    null,
  ],
]

/** Returns notes that apply to every import, about data that no version of the API returns. */
export function standingNotes(project: string): ImportNote[] {
  return STANDING.map(([kind, subject, reason, advice]) => ({ kind, subject, name: 'all', project, reason, advice }))
}

export function channelNote({ name, kind }: Pick<ImportedChannel, 'name' | 'kind'>, project: string): ImportNote {
  const reason = 'The API does not contain its settings, so it is imported switched off.'
  const advice = 'Enter its settings: that switches it on.'
  return { kind: 'to-do', subject: 'integration', name: name || kind, project, reason, advice }
}

/** Notes about data that an API does not return. */
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedChannel } from '../../domain/import/import-source.ts'

type Row = readonly [kind: ImportNote['kind'], subject: string, reason: string, advice: string | null]

const STANDING: readonly Row[] = [
  ['left-out', 'member', 'The API does not tell who the members are.', 'Invite them.'],
  [
    'left-out',
    'ping key',
    'The API does not tell it.',
    'Ping by UUID, or make a ping key and change the jobs that ping by slug.',
  ],
  ['left-out', 'API key', 'The API does not tell other keys than the one that the import uses.', 'Make new ones.'],
  ['left-out', 'alert', 'The API does not tell which alerts were sent.', null],
  ['changed', 'exit status', 'The API does not tell it. A failure comes without its number.', null],
  [
    'changed',
    'flip',
    'The API tells only whether the check was up after it. Whether it went down, was paused or was resumed is found out as far as its status and its pings show it.',
    null,
  ],
  [
    'changed',
    'date of creation',
    'The API does not tell it. Checks come in its order, dated to the oldest ping of the project.',
    null,
  ],
]

/** Returns notes about data that no API returns. */
export function standingNotes(project: string): ImportNote[] {
  return STANDING.map(([kind, subject, reason, advice]) => ({ kind, subject, name: 'all', project, reason, advice }))
}

export function channelNote({ name, kind }: Pick<ImportedChannel, 'name' | 'kind'>, project: string): ImportNote {
  const reason = 'The API does not tell its settings, so it comes switched off.'
  const advice = 'Fill in its settings, which switches it on.'
  return { kind: 'to-do', subject: 'integration', name: name || kind, project, reason, advice }
}

import { expect, test } from 'bun:test'
import { groupNotes, type ImportNote } from '../../../src/domain/import/import-note.ts'

const note = (over: Partial<ImportNote>): ImportNote => ({
  kind: 'to-do',
  subject: 'account',
  name: 'jane@example.org',
  project: 'Home',
  reason: 'They get daily reports.',
  advice: null,
  ...over,
})

test('what is said of several rows is one group, in the order of the first ones', () => {
  const groups = groupNotes([
    note({}),
    note({ reason: 'They get weekly reports.' }),
    note({ name: 'bob@example.org', project: 'Work' }),
    note({ advice: 'Ask them.' }),
    note({ kind: 'changed' }),
  ])
  expect(groups.map(({ kind, reason, advice, rows }) => [kind, reason, advice, rows.map(({ name }) => name)])).toEqual([
    ['to-do', 'They get daily reports.', null, ['jane@example.org', 'bob@example.org']],
    ['to-do', 'They get weekly reports.', null, ['jane@example.org']],
    ['to-do', 'They get daily reports.', 'Ask them.', ['jane@example.org']],
    ['changed', 'They get daily reports.', null, ['jane@example.org']],
  ])
  expect(groups[0]?.rows.map(({ project }) => project)).toEqual(['Home', 'Work'])
})

test('a project is not said to be of itself', () => {
  expect(groupNotes([note({ subject: 'project', name: 'Home' })])[0]?.rows).toEqual([{ name: 'Home', project: null }])
})

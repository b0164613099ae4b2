import { expect, test } from 'bun:test'
import { planGatus, writeMoves } from '../../../src/domain/import/gatus.ts'
import { Temporal } from '../../../src/lib/time.ts'

const OPTIONS = {
  zone: 'UTC',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
}
const plan = (...endpoints: unknown[]) => planGatus([{ 'external-endpoints': endpoints }], OPTIONS)

test('an external endpoint becomes a check with the interval of its heartbeat and a fifth of it as grace time', () => {
  const planned = plan({ name: 'Nightly Backup', group: 'core', token: 'hunter2', heartbeat: { interval: '30m' } })
  expect(
    planned.checks.map(({ name, slug, timing, graceSeconds }) => ({ name, slug, ...timing, graceSeconds })),
  ).toEqual([{ name: 'core/Nightly Backup', slug: 'core-nightly-backup', timeout: 1800, graceSeconds: 360 }])
  expect(JSON.stringify([planned.checks, planned.notes])).not.toContain('hunter2')
  expect(writeMoves(planned, (slug) => `https://x.example/ping/${slug}`)).toEqual([
    {
      before: '/api/v1/endpoints/core_nightly-backup/external?success=true',
      after: 'https://x.example/ping/core-nightly-backup',
    },
    {
      before: '/api/v1/endpoints/core_nightly-backup/external?success=false',
      after: 'https://x.example/ping/core-nightly-backup/fail',
    },
  ])
})

test('a short interval becomes a minute', () => {
  expect(plan({ name: 'a', heartbeat: { interval: '10s' } }).checks[0]).toMatchObject({
    timing: { timeout: 60 },
    graceSeconds: 60,
  })
})

test.each([
  [{ token: 'x' }, 'It has no name.'],
  [{ name: '$' + '{NAME}' }, 'Its name is in a variable of the environment.'],
  [{ name: 'a', enabled: false }, 'It is not enabled.'],
  [{ name: 'a' }, 'Without an interval of its heartbeat, it never counts as late.'],
  [{ name: 'a', heartbeat: { interval: 0 } }, 'Without an interval of its heartbeat, it never counts as late.'],
  [{ name: 'a', heartbeat: { interval: 'often' } }, 'Its heartbeat has no interval that can be read.'],
  [{ name: 'a', heartbeat: { interval: '99999h' } }, 'Its heartbeat has no interval that can be read.'],
  ['text', 'It has no name.'],
  [null, 'It has no name.'],
])('%p is left out', (endpoint, reason) => {
  const { checks, notes } = plan(endpoint)
  expect([checks, notes.map((note) => note.reason)]).toEqual([[], [reason]])
})

test('the files of a folder are one configuration, and endpoints that Gatus asks are counted', () => {
  const files = ['a', 'b'].map((name) => ({
    'external-endpoints': [{ name, heartbeat: { interval: '1h' } }],
    endpoints: [{ name }],
  }))
  const { checks, notes } = planGatus([...files, null, [], 'x'], OPTIONS)
  expect(checks.map(({ slug }) => slug)).toEqual(['a', 'b'])
  expect(notes.map(({ subject, name }) => [subject, name])).toEqual([['endpoints', '2']])
})

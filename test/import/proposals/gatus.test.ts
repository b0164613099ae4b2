import { expect, test } from 'bun:test'
import { planGatus, writeMoves } from '../../../src/import/proposals/gatus.ts'
import { Temporal } from '../../../src/lib/time.ts'

const OPTIONS = {
  zone: 'UTC',
  prefix: '',
  pingEndpoint: 'https://overdue.example.org/ping/',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
}
const plan = (...endpoints: unknown[]) =>
  planGatus([{ place: 'g.yaml line 1', tree: { 'external-endpoints': endpoints } }], OPTIONS)

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

const NO_INTERVAL = 'Its heartbeat needs an interval such as 30m.'

test.each([
  [{ token: 'x' }, 'It has no name.'],
  [{ name: 'a', enabled: false }, 'It is not enabled.'],
  [{ name: 'a' }, 'Without an interval of its heartbeat, it never counts as late.'],
  [{ name: 'a', heartbeat: { interval: 0 } }, 'Without an interval of its heartbeat, it never counts as late.'],
  [{ name: 'a', heartbeat: { interval: 'often' } }, NO_INTERVAL],
  [{ name: 'a', heartbeat: { interval: 60 } }, NO_INTERVAL],
  [{ name: 'a', enabled: 'no' }, 'It is not enabled.'],
  [{ name: 'a', heartbeat: { interval: '99999h' } }, NO_INTERVAL],
  ['text', 'It has no name.'],
  [null, 'It has no name.'],
])('%p is left out', (endpoint, reason) => {
  const { checks, notes } = plan(endpoint)
  expect([checks, notes.map((note) => note.reason)]).toEqual([[], [reason]])
})

test('the files of a folder are one configuration, and endpoints that Gatus asks are counted', () => {
  const files = ['a', 'b'].map((name) => ({
    place: `${name}.yaml line 1`,
    tree: { 'external-endpoints': [{ name, heartbeat: { interval: '1h' } }], endpoints: [{ name }] },
  }))
  const { checks, notes } = planGatus([...files, { place: 'c.yaml line 1', tree: [] }], OPTIONS)
  expect(checks.map(({ slug, place }) => [slug, place])).toEqual([
    ['a', 'external endpoint 1 of a.yaml line 1'],
    ['b', 'external endpoint 1 of b.yaml line 1'],
  ])
  expect(notes.map(({ subject, name }) => [subject, name])).toEqual([['endpoints', '2']])
})

test.each([
  [{ name: '$' + '{NAME}' }],
  [{ name: 'a', group: '$GROUP' }],
  [{ name: 'a', enabled: '$' + '{ON}', heartbeat: { interval: '1h' } }],
  [{ name: 'a', heartbeat: { interval: '$' + '{EVERY}' } }],
])('what %p leaves to the environment is said', (endpoint) => {
  const { checks, notes } = plan(endpoint)
  expect(checks).toEqual([])
  expect(notes[0]?.reason).toContain('an environment variable')
  expect(notes[0]?.advice).toContain('envsubst')
})

test('a name that YAML reads as a number is that number', () => {
  expect(plan({ name: 7, group: 2, heartbeat: { interval: '1h' } }).checks).toMatchObject([{ name: '2/7' }])
})

test('external endpoints that are no list are named with their file, and the others are read', () => {
  const trees = [{ name: 'a' }, [{ name: 'b', heartbeat: { interval: '1h' } }], null]
  const documents = trees.map((tree, index) => ({
    place: `${index}.yaml line 1`,
    tree: { 'external-endpoints': tree },
  }))
  const { checks, notes } = planGatus(documents, OPTIONS)
  expect(checks.map(({ slug }) => slug)).toEqual(['b'])
  expect(notes).toMatchObject([{ kind: 'left-out', name: '0.yaml line 1', reason: 'It is not a list.' }])
})

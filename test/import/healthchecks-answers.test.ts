/**
 * After a move, Overdue gives the answers that Healthchecks gave before it: to the same keys, at the same UUIDs and badge addresses, at the
 * same instant. {@link ACCEPTED} lists each accepted difference with its reason.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ImportReport } from '../../src/import/engine/report.ts'
import { readPages } from '../../src/services/common/pages.ts'
import { rules } from '../../src/services/common/rules.ts'
import { ADDED } from '../conformance/not-yet.ts'
import { readSvg } from '../conformance/svg.ts'
import { handClock } from '../support/clock.ts'
import {
  inOrder,
  type Json,
  RECORDING,
  type RecordedAnswer,
  type RecordedProject,
} from '../support/healthchecks/answers.ts'
import { importFixture } from '../support/healthchecks/imported.ts'
import { anAuthor } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

const { site_root: SITE_ROOT, site_name: SITE_NAME, secret_key: THEIR_SECRET } = RECORDING.healthchecks
/** Checks whose deadline had passed before the other server's alert worker ran. */
const OVERDUE = ['Flapper', 'Deadline passed, worker not yet there']
/** Addresses of bodies in an object storage, which are not in the database. */
const STORED_ELSEWHERE = new Set(
  RECORDING.projects.flatMap(({ answers }) =>
    answers.flatMap(({ path, status }) => (path.endsWith('/body') && status === 404 ? [path] : [])),
  ),
)

interface Difference {
  readonly reason: string
  readonly applies: (answer: RecordedAnswer, isOurSecret: boolean) => boolean
  /** removes the difference from their answer; `ours` does so from ours */
  readonly theirs?: (json: Json) => Json
  readonly ours?: (json: Json) => Json
  readonly type?: string
}

const ACCEPTED: readonly Difference[] = [
  {
    reason: 'bodies in an object storage are not in the database, so they have no address',
    applies: ({ path }) => path.endsWith('/pings/'),
    theirs: (json) =>
      changed(json, 'body_url', (url) => (STORED_ELSEWHERE.has(String(url).slice(SITE_ROOT.length)) ? null : url)),
  },
  {
    reason: 'a body that is not there is answered with JSON, as everything in the API (docs/compatibility.md)',
    applies: ({ path }) => STORED_ELSEWHERE.has(path),
    type: 'application/json',
  },
  {
    reason: 'new badge addresses are signed with our own secret; the old ones go on working',
    applies: ({ path }, isOurSecret) => path.endsWith('/badges/') && !isOurSecret,
    theirs: (json) => badgeUrls(json),
    ours: (json) => badgeUrls(json),
  },
]

for (const [secret, isOurSecret] of [
  [THEIR_SECRET, true],
  ['a secret of our own, 32 letters.', false],
] as const) {
  describe(isOurSecret ? 'with the secret of the old server' : 'with a secret of its own', () => {
    let t: TestApp
    let report: ImportReport
    beforeAll(async () => {
      t = await testApp({
        clock: handClock(RECORDING.now),
        env: { SITE_ROOT, SITE_NAME, SECRET_KEY: secret, API_V3_FLIPS: 'object', PUBLIC_RATE_LIMIT: '0' },
      })
      report = await importFixture(t.app.deps)
    })
    afterAll(() => t.close())

    test('all that the source has is brought, and the report says how much', () => {
      const { projects, accounts, isApplied } = report
      expect(isApplied).toBe(true)
      expect(projects.map(({ checks }) => checks).reduce((sum, checks) => sum + checks)).toBe(120)
      const history = projects.map((project) => project.history ?? { pings: 0, flips: 0, alerts: 0 })
      expect(history.reduce((sum, { pings }) => sum + pings, 0)).toBe(1_522)
      expect(history.reduce((sum, { flips }) => sum + flips, 0)).toBe(618)
      expect(accounts.new).toHaveLength(3)
      expect(accounts.administrators).toEqual(['alice@example.org'])
    })

    test('checks that were overdue at the move are late for another 15 minutes at most, since nobody could ping them here', async () => {
      const spared: string[] = []
      for (const project of RECORDING.projects) {
        for (const { check } of await checksOf(t, project)) {
          if (check.sparedUntil === null) continue
          spared.push(check.name)
          expect(check.sparedUntil.since(t.clock.now()).total('seconds')).toBeLessThanOrEqual(900)
          // From now on they count as judged, as in the answers of the old server.
          await t.app.deps.store
            .by(anAuthor())
            .checks.change(check.id, (stored) => ({ check: { ...stored, sparedUntil: null } }), rules(t.app.deps))
        }
      }
      expect(spared.toSorted()).toEqual(OVERDUE.toSorted())
    })

    // Only keys and badges depend on the secret; the second project has keys that were not hashed.
    for (const project of isOurSecret ? RECORDING.projects : RECORDING.projects.slice(0, 2)) {
      const groups = Map.groupBy(project.answers, groupOf)
      test.each([...groups])(`project ${project.code} answers %s`, async (_, answers) => {
        const differences: string[] = []
        for (const answer of answers) differences.push(...(await differencesOf(t, project, answer, isOurSecret)))
        expect(differences).toEqual([])
      })
    }

    test('pings to the old addresses are answered as before, and so is a key that was revoked', async () => {
      for (const { method, path, send, key, status, text, json } of RECORDING.pings_after) {
        const revoked = RECORDING.revoked_keys[0] ?? ''
        const response = await t.call(method, path, {
          ...(send === undefined ? {} : { body: send }),
          ...(key === undefined ? {} : { key: revoked }),
        })
        // A server leaves the body of a HEAD out.
        const body = method === 'HEAD' ? '' : await response.text()
        expect([method, path, response.status, json === undefined ? body : JSON.parse(body)]).toEqual([
          ...[method, path, status],
          json ?? text ?? '',
        ])
      }
    })

    test('nothing is sent', () => {
      expect([t.sent, t.mails]).toEqual([[], []])
    })
  })
}

async function checksOf({ app: { deps } }: TestApp, { code }: RecordedProject) {
  return (await Array.fromAsync(readPages((after) => deps.store.checks.list(code, {}, after)))).flat()
}

/** Names the group of an answer: `/api/v3/checks/<id>/pings/ (rw)`. */
function groupOf({ path, key }: RecordedAnswer): string {
  const form = path
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{40}/g, '<id>')
    .replace(/pings\/\d+/, 'pings/<n>')
    .replace(/^\/badge\/.*\./, '/badge/….')
    .replace(/\?.*/, '?…')
  return key === undefined ? form : `${form} (${key})`
}

async function differencesOf(
  t: TestApp,
  project: RecordedProject,
  answer: RecordedAnswer,
  isOurSecret: boolean,
): Promise<string[]> {
  const accepted = ACCEPTED.filter(({ applies }) => applies(answer, isOurSecret))
  const response = await ask(t, project, answer)
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = mediaType(response.headers.get('content-type') ?? '')
  const expectedType = accepted.find((difference) => difference.type)?.type ?? mediaType(answer.type)
  if (response.status !== answer.status) return [`${answer.path}: ${response.status} instead of ${answer.status}`]
  if (type !== expectedType) return [`${answer.path}: ${type} instead of ${expectedType}`]
  const [theirs, ours] = comparable(answer, bytes, accepted)
  return theirs === ours ? [] : [`${answer.path}: ${firstDifference(theirs, ours)}`]
}

function ask(t: TestApp, { keys }: RecordedProject, { method, path, key }: RecordedAnswer): Promise<Response> {
  const known = (key === 'rw' ? keys.api_key : keys.api_key_readonly) ?? ''
  if (key === 'bearer ro') return t.call(method, path, { headers: { authorization: `Bearer ${known}` } })
  return t.call(method, path, key === undefined ? {} : { key: known })
}

const mediaType = (type: string) => type.split(';')[0] ?? ''

/** Returns both answers in a form in which they are equal if they mean the same. */
function comparable(answer: RecordedAnswer, bytes: Buffer, accepted: readonly Difference[]): [string, string] {
  if (answer.json !== undefined) {
    const theirs = accepted.reduce((json, { theirs = (same) => same }) => theirs(json), answer.json)
    const known: Json = JSON.parse(bytes.toString(), (name, value) => (ADDED.has(name) ? undefined : value))
    const ours = accepted.reduce((json, { ours = (same) => same }) => ours(json), known)
    return [JSON.stringify(inOrder(theirs)), JSON.stringify(inOrder(ours))]
  }
  if (answer.base64 !== undefined) return [answer.base64, bytes.toString('base64')]
  // A stock page of errors was not recorded.
  if (answer.text === null || answer.text === undefined) return ['', '']
  if (answer.type === 'image/svg+xml') return [badge(answer.text), badge(bytes.toString())]
  if (answer.path.endsWith('/metrics/')) return metrics(answer.text, bytes.toString())
  return [answer.text, bytes.toString()]
}

/** Returns the visible parts of a badge: its words, and their width. Ours has a title for screen readers as well. */
function badge(svg: string): string {
  const words = readSvg(svg.replace(/<title>.*?<\/title>/, ''))
  return JSON.stringify([words, /width="(\d+)"/.exec(svg)?.[1], svg.match(/#(?:4c1|e05d44|fe7d37)/g)])
}

/** Sorts the recorded lines, and selects ours that were recorded, because we have further metrics (docs/compatibility.md). */
function metrics(theirs: string, ours: string): [string, string] {
  const wanted = new Set(theirs.split('\n').filter((line) => line !== ''))
  return [
    [...wanted].toSorted().join('\n'),
    ours
      .split('\n')
      .filter((line) => wanted.has(line))
      .toSorted()
      .join('\n'),
  ]
}

/** Changes `name` wherever it occurs. */
function changed(json: Json, name: string, change: (value: Json) => Json): Json {
  if (Array.isArray(json)) return json.map((item) => changed(item, name, change))
  if (json === null || typeof json !== 'object') return json
  const members = Object.entries(json)
  return Object.fromEntries(
    members.map(([key, value]) => [key, key === name ? change(value) : changed(value, name, change)]),
  )
}

/** Removes signatures. */
function badgeUrls(json: Json): Json {
  return JSON.parse(JSON.stringify(json).replaceAll(/(\/badge\/[^/]+\/)[\w-]{8}(?=[-/.])/g, '$1'))
}

function firstDifference(theirs: string, ours: string): string {
  let at = 0
  while (at < theirs.length && theirs[at] === ours[at]) at++
  const from = Math.max(0, at - 60)
  return `…${ours.slice(from, at + 100)}… instead of …${theirs.slice(from, at + 100)}…`
}

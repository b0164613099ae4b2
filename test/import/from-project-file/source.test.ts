/** A project is exported to a file and imported unchanged. A wrong file is reported with the place, and nothing is written. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { operatorIn } from '../../../src/domain/actor.ts'
import { signBadge } from '../../../src/domain/badge-urls.ts'
import { CHECK_FIELDS } from '../../../src/domain/check/fields.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import type { Project } from '../../../src/domain/project.ts'
import { PROJECT_FILE_VERSION } from '../../../src/domain/project-file/project-file.ts'
import { secretFingerprint } from '../../../src/domain/project-file/values.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { CHANNEL_KINDS } from '../../../src/services/channels/channel-kinds.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { flipOverdue } from '../../../src/services/pings/flips.ts'
import { createKey } from '../../../src/services/projects/keys.ts'
import { createProject, type FreshKeys } from '../../../src/services/projects/projects.ts'
import { createSilence } from '../../../src/services/silences/silences.ts'
import { courierFixture } from '../../services/courier/courier-fixture.ts'
import type { HandClock } from '../../support/clock.ts'
import { anyProjectFile, exported, importFile, type ProjectFile } from '../../support/project-files/files.ts'
import { rejection } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

/** Versions of project files, up to the current one. */
const VERSIONS = Array.from({ length: PROJECT_FILE_VERSION }, (_, index) => index + 1)
const SECRET = 'the secret of both servers in tests'

const server = (secret = SECRET, clock?: HandClock) =>
  testApp({ env: { SECRET_KEY: secret }, ...(clock ? { clock } : {}) })

let t: TestApp
let other: TestApp
beforeEach(async () => {
  t = await server()
  other = await server(SECRET, t.clock)
})
afterEach(async () => {
  await t.close()
  await other.close()
})

const files = () => anyProjectFile([secretFingerprint(SECRET)], (badgeKey, tag) => signBadge(badgeKey, tag, SECRET))

/** Sorts by text, because an export has alerts by integration and state, and keys in the order of creation, unlike a generated file. */
function sorted({ alerts, keys, ...rest }: ProjectFile): ProjectFile {
  const byText = <Value>(values: readonly Value[]) =>
    values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return { ...rest, alerts: byText(alerts), keys: byText(keys) }
}

describe('a project', () => {
  test('that was imported is exported as it came, and imported elsewhere exported byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(files(), async (file) => {
        const servers = [await server(), await server()] as const
        try {
          await importFile(servers[0], JSON.stringify(file))
          const first = await exported(servers[0], file.project.id)
          expect(sorted(JSON.parse(first))).toEqual(sorted(file))
          await importFile(servers[1], first)
          expect(await exported(servers[1], file.project.id)).toBe(first)
        } finally {
          for (const each of servers) await each.close()
        }
      }),
      { numRuns: 10 },
    )
  }, 120_000)

  test('that has lived here is the same elsewhere: checks, log, bodies, flips, alerts, keys', async () => {
    const { text, project, keys } = await lived(t)
    const { counts } = await importFile(other, text)
    expect([...counts.values()]).toEqual([{ pings: 5, flips: 5, alerts: 4 }])
    expect(await exported(other, project.id)).toBe(text)
    const answer = await other.call('GET', '/api/v3/checks/', { key: keys.apiKey })
    expect(await answer.json()).toMatchObject({ checks: [{ name: 'Backup', n_pings: 5, status: 'up' }] })
    expect(other.sent).toEqual([])
  })

  test.each(VERSIONS)('of a file of version %d has the defaults of what came later', async (version) => {
    const { text, project } = await lived(t)
    const file = JSON.parse(text)
    const later = Object.values(CHECK_FIELDS).filter(({ since }) => since > version)
    for (const { wire } of later) delete file.checks[0][wire]
    await importFile(other, JSON.stringify({ ...file, version }))
    const { checks } = JSON.parse(await exported(other, project.id))
    expect(checks).toEqual([
      { ...file.checks[0], ...Object.fromEntries(later.map(({ wire, initial }) => [wire, initial])) },
    ])
  })

  test('whose schedule is written as a word of cron has it in five fields', async () => {
    const { text, keys } = await lived(t)
    await importFile(other, text.replaceAll('*/5 * * * *', '@hourly'))
    const answer = await other.call('GET', '/api/v3/checks/', { key: keys.apiKey })
    expect(await answer.json()).toMatchObject({ checks: [{ schedule: '0 * * * *' }] })
  })

  test('of a file that tells of no runs has those of its log', async () => {
    const { text, project } = await lived(t)
    const runs = /"runs": "[^"]+"/g
    await importFile(other, text.replaceAll(runs, '"runs": ""'))
    expect((await exported(other, project.id)).match(runs)).toHaveLength(1)
  })

  test('without its log has its settings, keys and states, and is the same elsewhere', async () => {
    const { project } = await lived(t)
    const text = await exported(t, project.id, false)
    expect(Object.keys(JSON.parse(text))).not.toContain('pings')
    await importFile(other, text)
    expect(await exported(other, project.id, false)).toBe(text)
    expect(JSON.parse(text).checks[0]).toMatchObject({ n_pings: 5, n_flips: 5, status: 'up' })
  })

  test('that is imported again is not changed, and newer pings added', async () => {
    const { text, project } = await lived(t)
    await importFile(other, text)
    const before = await other.app.deps.store.audit.list(1_000)
    expect((await importFile(other, text)).counts.get(project.id)).toEqual({ pings: 0, flips: 0, alerts: 0 })
    expect(await other.app.deps.store.audit.list(1_000)).toEqual(before)
    const id = JSON.parse(text).checks[0].id
    await t.call('POST', `/ping/${id}`, { body: 'newer' })
    const grown = await exported(t, project.id)
    expect((await importFile(other, grown)).counts.get(project.id)).toEqual({ pings: 1, flips: 0, alerts: 0 })
    expect(await exported(other, project.id)).toBe(grown)
  })

  test('that is imported again gets its alerts with their flips, between which events lay that are no flips', async () => {
    const { text, project } = await lived(t)
    const numbers = [1, 3, 6, 7, 9]
    const whole = JSON.parse(text, (name, value) => (name === 'flip' ? numbers[value - 1] : value))
    whole.flips = whole.flips.map((flip: object, index: number) => ({ ...flip, n: numbers[index] }))
    whole.checks[0].n_flips = 9
    const early = structuredClone(whole)
    early.flips = whole.flips.slice(0, 2)
    early.alerts = whole.alerts.filter(({ flip }: { flip: number }) => flip <= 3)
    early.pings = whole.pings.slice(0, 2)
    Object.assign(early.checks[0], { n_pings: 2, n_flips: 4, status: 'down' })
    const flips = async () => (await other.app.deps.store.audit.list(1_000)).map(({ after }) => after?.flips)
    await importFile(other, JSON.stringify(early))
    expect(await flips()).toContain(2)
    await importFile(other, JSON.stringify(whole))
    const { checks, flips: stored, alerts } = JSON.parse(await exported(other, project.id))
    expect({ stored, alerts, n: checks[0].n_flips }).toEqual({ stored: whole.flips, alerts: whole.alerts, n: 9 })
  })

  test('leaves a row in the audit log each time it is exported', async () => {
    await exported(t, t.project.id)
    await exported(t, t.project.id, false)
    const rows = (await t.app.deps.store.audit.list(100))
      .filter(({ action }) => action === 'export')
      .map(({ subject, after }) => [subject.kind, after?.log])
    // Both are of the same instant.
    expect(rows.toSorted()).toEqual([
      ['project', false],
      ['project', true],
    ])
  })
})

describe('on a server with another secret', () => {
  let strange: TestApp
  beforeEach(async () => {
    strange = await server('another secret than that of the others', t.clock)
  })
  afterEach(() => strange.close())

  test('API keys and badges go on working if the secret is given', async () => {
    const { text, project, keys } = await lived(t)
    await importFile(strange, text, SECRET)
    expect((await strange.call('GET', '/api/v3/checks/', { key: keys.apiKey })).status).toBe(200)
    const [badge] = (JSON.parse(text) as ProjectFile).badges
    const path = `/badge/${project.badgeKey}/${badge?.signature}.svg`
    expect((await strange.call('GET', path)).status).toBe(200)
  })

  test('without it the report names the API keys that end, ping keys stay, and badges go on working', async () => {
    const { text, project, keys } = await lived(t)
    const { plan } = await importFile(strange, text)
    expect(plan.notes.map(({ kind, subject, name }) => [kind, subject, name]).toSorted()).toEqual([
      ['left-out', 'API key', expect.stringMatching(/^Grüße \(odr_....\)$/)],
      ['left-out', 'API key', keys.apiKeyReadonly.slice(0, 8)],
      ['left-out', 'API key', keys.apiKey.slice(0, 8)],
    ])
    const stored = await strange.app.deps.store.keys.list(project.id)
    expect(stored.map(({ kind, lookup }) => [kind, lookup])).toEqual([['ping', keys.pingKey]])
    const [badge] = (JSON.parse(text) as ProjectFile).badges
    expect((await strange.call('GET', `/badge/${project.badgeKey}/${badge?.signature}.svg`)).status).toBe(200)
  })

  test('a secret that the file does not name is refused', async () => {
    const text = await exported(t, t.project.id)
    expect(await refused(strange, text, 'a secret of somebody else entirely')).toEqual([
      'import-secret-wrong',
      'this project file was written with another secret',
    ])
  })
})

describe('nothing is written, and the place is told, when', () => {
  const mistakes: readonly [what: string, change: (file: Mutable) => void, words: string][] = [
    ['it is of another kind', set('format', 'healthchecks'), '/format is not "overdue-project"'],
    ['a value has the wrong type', set('checks.0.grace', '1h'), '/checks/0/grace is not a number'],
    ['a value is out of range', set('checks.0.grace', 1), '/checks/0/grace is too small (60 to 31536000)'],
    ['a field is missing', set('checks.0.tz', undefined), '/checks/0/tz is missing'],
    ['a field is misspelt', set('project.nmae', 'x'), '/project/nmae is not a known field'],
    ['a member is not known', set('extra', 1), '/extra is not a known member'],
    ['an array is none', set('alerts', {}), '/alerts is not an array'],
    [
      'an instant is none',
      set('pings.0.at', '2026-02-30T00:00:00Z'),
      '/pings/0/at is not an instant such as 2026-11-16T04:09:12Z',
    ],
    [
      'a schedule is of another kind',
      set('checks.0.kind', 'oncalendar'),
      '/checks/0/schedule is not of the kind oncalendar',
    ],
    ['a check occurs twice', (file) => file.checks.push({ ...file.checks[0] }), '/checks/1/id occurs twice'],
    [
      'a check has a strange integration',
      set('checks.0.channels', [crypto.randomUUID()]),
      '/checks/0/channels/0 is not one of /channels',
    ],
    [
      'an integration is of no known kind',
      set('channels.0.kind', 'no-such-kind'),
      `/channels/0/kind is not one of the allowed values (${CHANNEL_KINDS.join(', ').replace(/ (?=\w+$)/, ' or ')})`,
    ],
    [
      'quiet hours never end',
      set('channels.0.quiet_hours.duration', 86_400),
      '/channels/0/quiet_hours/duration leaves no pause between the occurrences of "schedule"',
    ],
    [
      'quiet hours are of no schedule',
      set('channels.0.quiet_hours.schedule', '25:00'),
      '/channels/0/quiet_hours/schedule is not a cron or OnCalendar expression',
    ],
    [
      'a group has quiet hours',
      set('channels.0.kind', 'group'),
      '/channels/0/quiet_hours is of a group, which has none',
    ],
    [
      'a silence names no check',
      set('silences.0.match.checks', []),
      '/silences/0/match/checks is empty: name one at least, or leave it out',
    ],
    [
      'a silence names a strange check',
      set('silences.0.match.checks.0', crypto.randomUUID()),
      '/silences/0/match/checks/0 is not one of /checks',
    ],
    ['a silence occurs twice', (file) => file.silences.push({ ...file.silences[0] }), '/silences/1/id occurs twice'],
    [
      'a silence has half a schedule',
      set('silences.0.schedule', undefined),
      '/silences/0/tz is given without schedule',
    ],
    [
      'a silence would never end',
      set('silences.0', (silence: Mutable) => onceOnly({ ...silence, ends_at: null })),
      '/silences/0/ends_at is null without schedule',
    ],
    [
      'a silence was not planned',
      set('silences.0', (silence: Mutable) =>
        onceOnly({ ...silence, starts_at: silence.created_at, ends_at: '2026-03-10T00:00:00Z' }),
      ),
      '/silences/0/starts_at is not after created_at, and there is no schedule',
    ],
    [
      'a silence is too long',
      set('silences.0', (silence: Mutable) =>
        onceOnly({ ...silence, starts_at: '2026-03-10T00:00:00Z', ends_at: '2026-05-01T00:00:00Z' }),
      ),
      '/silences/0/ends_at is more than 30 days after the start',
    ],
    [
      'a silence has no pause',
      set('silences.0.duration', 7 * 86_400),
      '/silences/0/duration leaves no pause between the occurrences of schedule: use a shorter one, or a schedule with fewer occurrences',
    ],
    [
      'there are more repeated silences than a project may have',
      (file) => {
        file.silences = Array.from({ length: 51 }, () => ({ ...file.silences[0], id: crypto.randomUUID() }))
      },
      '/silences/50 is one more than 50 silences with a schedule',
    ],
    ['a ping belongs to no check', set('pings.1.check', crypto.randomUUID()), '/pings/1/check is not one of /checks'],
    ['pings are not in order', (file) => file.pings.reverse(), '/pings/1/n is 4, and that of the entry before is 5'],
    [
      'there are more pings than the check counts',
      set('checks.0.n_pings', 4),
      '/pings/4/n is greater than "n_pings" of its check',
    ],
    ['a ping has two bodies', set('pings.0.body_base64', 'AA=='), '/pings/0 has two bodies'],
    ['a body is not in base64', set('pings.1.body_base64', '???'), '/pings/1/body_base64 is not in base64'],
    [
      'an email is none',
      (file) => file.members.push({ email: 'nobody', role: 'owner' }),
      '/members/0/email is not an email address',
    ],
  ]
  test.each(mistakes)('%s', async (_, change, words) => {
    const file = JSON.parse((await lived(t)).text)
    change(file)
    expect(await refused(other, JSON.stringify(file))).toEqual([
      'project-file-invalid',
      `the project file cannot be read: ${words}`,
    ])
    await expectNothing()
  })

  test('it is cut off, or is no JSON at all', async () => {
    const { text } = await lived(t)
    const cut = await refused(other, text.slice(0, -300))
    expect(cut).toEqual([
      'project-file-invalid',
      expect.stringMatching(/^the project file cannot be read: at byte \d+, /),
    ])
    expect(await refused(other, '<html>')).toEqual([
      'project-file-invalid',
      'the project file cannot be read: at byte 0, a document that begins with { should be here',
    ])
    expect(await refused(other, '{}')).toEqual([
      'project-file-invalid',
      'the project file cannot be read: /project is missing',
    ])
    await expectNothing()
  })

  test('a newer program has written it', async () => {
    const version = PROJECT_FILE_VERSION + 1
    const file = { format: 'overdue-project', version, project: 'as that program has it' }
    expect(await refused(other, JSON.stringify(file))).toEqual([
      'project-file-too-new',
      `the project file has version ${version}, and this program reads files up to version ${PROJECT_FILE_VERSION}`,
    ])
    await expectNothing()
  })

  test('another project here has its name', async () => {
    const { text } = await lived(t)
    // Both servers have a project of that name.
    expect((await refused(other, text.replace('"name": "Moved"', '"name": "Tests"')))[0]).toBe('import-clash')
    await expectNothing()
  })

  async function expectNothing() {
    const { store } = other.app.deps
    expect((await store.projects.list()).map(({ id }) => id)).toEqual([other.project.id])
    expect(await store.imports.listStagedLogs()).toEqual([])
  }
})

test('an integration whose settings are not valid is left out, and its checks lose it', async () => {
  const file = JSON.parse((await lived(t)).text)
  file.channels[0].settings = { url: 5 }
  const { plan } = await importFile(other, JSON.stringify(file))
  expect(plan.notes.map(({ kind, subject }) => [kind, subject])).toEqual([['left-out', 'integration']])
  const found = await other.app.deps.store.checks.find(file.checks[0].id)
  expect(found?.channelIds).toEqual([])
})

test('an integration whose server depends on a placeholder comes with a note', async () => {
  const file = JSON.parse((await lived(t)).text)
  file.channels[0].settings = { url: 'https://$NAME.example.org/' }
  const { plan } = await importFile(other, JSON.stringify(file))
  expect(plan.notes.map(({ kind, subject }) => [kind, subject])).toEqual([['to-do', 'integration']])
})

describe('planned silences', () => {
  /** Returns the reasons of the silences in a file. */
  const silencesIn = (text: string) => JSON.parse(text).silences.map(({ reason }: { reason: string }) => reason)
  const onceFrom = (hours: number, reason: string, checks: string[] = []) => {
    const startsAt = addSeconds(t.clock.now(), hours * 3_600)
    const times = { startsAt, endsAt: addSeconds(startsAt, 7_200), untilHealthy: false, window: null }
    return createSilence(t.app.deps, t.actor, { ...times, match: { checks, tags: [] }, upTo: 'down', reason })
  }
  const newCheckId = async () => {
    const made = await t.json<{ ping_url: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })
    return new URL(made.ping_url).pathname.slice('/ping/'.length)
  }

  test('are exported until they are over, and mutes that began at once never are', async () => {
    await onceFrom(0, 'mute')
    await onceFrom(24, 'tomorrow')
    await onceFrom(48, 'later')
    expect(await silencesIn(await exported(t, t.project.id))).toEqual(['tomorrow', 'later'])
    t.clock.advance({ hours: 25 })
    expect(await silencesIn(await exported(t, t.project.id))).toEqual(['tomorrow', 'later'])
    t.clock.advance({ hours: 1 })
    expect(await silencesIn(await exported(t, t.project.id))).toEqual(['later'])
  })

  test('lose the checks that were deleted, and one without any other check is not in the file', async () => {
    const [kept, deleted] = [await newCheckId(), await newCheckId()]
    await onceFrom(1, 'both', [kept, deleted])
    await onceFrom(2, 'gone', [deleted])
    await t.call('DELETE', `/api/v3/checks/${deleted}`, { key: t.keys.apiKey })
    const { silences } = JSON.parse(await exported(t, t.project.id))
    expect(silences).toMatchObject([{ reason: 'both', match: { checks: [kept] } }])
  })

  test('that are over when the file is imported are left out, with a note', async () => {
    const file = JSON.parse((await lived(t)).text)
    file.silences.push({
      ...onceOnly(file.silences[0]),
      ...{ id: crypto.randomUUID(), starts_at: '2026-03-04T12:30:00Z', ends_at: '2026-03-04T12:45:00Z' },
    })
    const { plan } = await importFile(other, JSON.stringify(file))
    expect(plan.notes.map(({ subject, name, reason }) => [subject, name, reason])).toEqual([
      ['planned maintenance', 'Upgrade', 'It is over.'],
    ])
    expect(JSON.parse(await exported(other, file.project.id)).silences).toEqual([file.silences[0]])
  })

  test('of a project that exists are not added, and the report names them', async () => {
    const { text } = await lived(t)
    await importFile(other, text)
    const file = JSON.parse(text)
    file.silences.push({ ...file.silences[0], id: crypto.randomUUID(), reason: 'Another' })
    const { plan } = await importFile(other, JSON.stringify(file))
    expect(plan.notes.map(({ kind, name }) => [kind, name])).toEqual([['left-out', 'Another']])
    expect(await exported(other, file.project.id)).toBe(text)
  })

  test('are repeated 50 times at most with those of the file, and the project counts them', async () => {
    const file = JSON.parse((await lived(t)).text)
    file.silences = Array.from({ length: 50 }, () => ({ ...file.silences[0], id: crypto.randomUUID() }))
    await importFile(other, JSON.stringify(file))
    const project = await other.app.deps.store.projects.find(file.project.id)
    if (project === null) throw new Error('it was not imported')
    const { silences } = JSON.parse(await exported(other, project.id))
    expect(silences).toHaveLength(50)
    const window = { schedule: 'Sun 22:00', tz: 'UTC', seconds: 60 }
    const times = { startsAt: other.clock.now(), endsAt: null, untilHealthy: false, window, upTo: 'down' } as const
    const more = { ...times, match: { checks: [], tags: [] }, reason: '' }
    const refusal = await rejection(createSilence(other.app.deps, operatorIn(project), more))
    expect(refusal).toMatchObject({ code: 'silences-full' })
  })
})

test('the file has no passwords, and of the secret of the server nothing', async () => {
  const text = await exported(t, t.project.id)
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('argon2')
  expect(text).not.toContain(t.keys.apiKey)
})

// biome-ignore lint/suspicious/noExplicitAny: it is changed into what no type allows.
type Mutable = any

/** Sets a value. @param path such as `checks.0.name` @param value undefined removes it; a function returns it from the present one */
function set(path: string, value: unknown) {
  return (file: Mutable) => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const holder = names.reduce((within, name) => within[name], file)
    holder[last] = typeof value === 'function' ? value(holder[last]) : value
  }
}

function onceOnly({ schedule: _, tz: __, duration: ___, ...silence }: Mutable): Mutable {
  return silence
}

interface Lived {
  readonly text: string
  readonly project: Project
  readonly keys: FreshKeys
}

/** Creates a project that was used for some time, and its file. */
async function lived(of: TestApp): Promise<Lived> {
  const { app, call, clock } = of
  const { deps } = app
  const { project, keys } = await createProject(deps, 'Moved')
  const actor = operatorIn(project)
  await createKey(deps, actor, 'read-only', 'Grüße')
  await createChannel(deps, actor, {
    kind: 'webhook',
    name: 'Hook',
    settings: { url: 'https://example.org/hook' },
    quietHours: { schedule: '0 22 * * *', tz: 'Europe/Riga', seconds: 32_400, upTo: 'down' },
  })
  const json = { name: 'Backup', tags: 'prod <&>', schedule: '*/5 * * * *', grace: 60, channels: '*' }
  const made = await of.json<{ ping_url: string }>('POST', '/api/v3/checks/', { key: keys.apiKey, json })
  const path = new URL(made.ping_url).pathname
  const again = { startsAt: clock.now(), endsAt: null, untilHealthy: false, upTo: 'down' } as const
  await createSilence(deps, actor, {
    ...again,
    match: { checks: [path.slice('/ping/'.length)], tags: [] },
    window: { schedule: 'Sat 22:00', tz: 'Europe/Riga', seconds: 7_200 },
    reason: 'Upgrade',
  })
  const pings = [
    () => call('POST', path, { body: 'Grüße \0 \u{1f680}' }),
    () => call('POST', `${path}/fail`, { body: new Uint8Array([0, 255, 254]) }),
    () => call('GET', path),
    () => flipOverdue(deps, clock.advance({ hours: 1 })),
    () => call('POST', `${path}/log`, { body: 'x'.repeat(5_000) }),
    () => call('GET', `${path}/0`),
  ]
  for (const ping of pings) {
    await ping()
    await courierFixture(of).deliver()
  }
  return { text: await exported(of, project.id), project, keys }
}

/** Returns code and message of a refusal. */
async function refused(on: TestApp, text: string, secret: string | null = null): Promise<unknown[]> {
  const error = await rejection(importFile(on, text, secret))
  if (!(error instanceof Refusal)) throw error
  return [error.code, error.message]
}

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { openUptimeKuma } from '../../src/app/import-sources.ts'
import type { ImportedCheck, ImportSource } from '../../src/domain/import/import-source.ts'
import { isUuid } from '../../src/lib/secrets/uuid.ts'
import { isoMicroseconds, isoSeconds, Temporal } from '../../src/lib/time.ts'
import { registry } from '../../src/transports/index.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { createKumaFile, type KumaFile } from '../support/uptime-kuma.ts'

let folder: Folder
let path: string
const sources: ImportSource[] = []
beforeEach(() => {
  folder = temporaryFolder()
  path = folder.file('kuma.db')
})
afterEach(async () => {
  for (const source of sources.splice(0)) await source.close()
  folder.remove()
})

const NOW = Temporal.Instant.from('2026-11-20T10:00:00Z')

async function open(pingLogLimit = 100): Promise<ImportSource> {
  const source = await openUptimeKuma(path, { project: 'Kuma', pingLogLimit, now: NOW, transports: registry })
  sources.push(source)
  return source
}

/** Fills a file of that version and opens it. */
function filled(version: 1 | 2, fill: (file: KumaFile) => void, pingLogLimit?: number): Promise<ImportSource> {
  const file = createKumaFile(path, version)
  fill(file)
  file.close()
  return open(pingLogLimit)
}

const TOKEN = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const push = (row: Readonly<Record<string, string | number | null>> = {}) => ({
  name: 'Backup',
  type: 'push',
  interval: 3600,
  push_token: TOKEN,
  created_date: '2026-05-04 10:00:00',
  ...row,
})

function only(source: ImportSource): ImportedCheck {
  const [check] = source.projects[0]?.checks ?? []
  if (check === undefined) throw new Error('there is no check')
  return check
}

async function all<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

const notesOf = ({ notes }: ImportSource, subject: string) =>
  notes.filter((note) => note.subject === subject).map(({ kind, name, reason }) => [kind, name, reason])

describe.each([1, 2] as const)('a push monitor of version %d', (version) => {
  test('is a check with its interval as period, and its retries as grace time', async () => {
    const source = await filled(version, (file) => {
      file.add('monitor', push({ name: 'Nightly Dump', maxretries: 3, retry_interval: 120 }))
    })
    const check = only(source)
    expect(check).toMatchObject({ name: 'Nightly Dump', slug: 'nightly-dump', kind: 'simple', status: 'new' })
    expect([check.timeoutSeconds, check.graceSeconds]).toEqual([3600, 360])
    expect(isoSeconds(check.createdAt)).toBe('2026-05-04T10:00:00+00:00')
    expect(notesOf(source, 'check')).toEqual([])
  })

  test('has ids that follow from its token and do not show it, the same each time', async () => {
    const source = await filled(version, (file) => {
      file.add('setting', { key: 'jwtSecret', value: '"a secret of this one"' })
      file.add('monitor', push())
    })
    const check = only(source)
    expect(isUuid(check.id) && isUuid(check.badgeKey) && check.id !== check.badgeKey).toBe(true)
    const again = await open()
    expect(JSON.stringify(again.projects)).toBe(JSON.stringify(source.projects))
    expect(JSON.stringify(again.notes)).not.toContain(TOKEN)
    expect(JSON.stringify(again.notes)).not.toContain(check.id)
  })

  test('that has no retries, or a short interval, gets what is the least here, and a note', async () => {
    const source = await filled(version, (file) => void file.add('monitor', push({ interval: 20 })))
    expect([only(source).timeoutSeconds, only(source).graceSeconds]).toEqual([60, 60])
    expect(notesOf(source, 'check')).toEqual([
      ['changed', 'Backup', 'Its interval of 20 seconds becomes 60.'],
      ['changed', 'Backup', 'Its retries, which take 0 seconds, become a grace time of 60 seconds.'],
    ])
  })

  test('has the pushes as pings, and the changes as flips: silences are no pings', async () => {
    const source = await filled(version, (file) => {
      const monitor_id = file.add('monitor', push({ maxretries: 1 }))
      const beat = (time: string, status: number, important: number, msg: string | null) =>
        file.add('heartbeat', { monitor_id, time: `2026-11-19 ${time}`, status, important, msg, ping: 12 })
      beat('10:00:00.125', 1, 1, 'OK')
      beat('11:00:00.000', 1, 0, '42 files')
      beat('12:00:01.000', 2, 0, 'No heartbeat in the time window')
      beat('13:00:02.000', 0, 1, 'No heartbeat in the time window')
      beat('14:00:00.500', 1, 1, 'OK')
      beat('14:30:00.000', 0, 1, 'disk full')
      beat('14:40:00.000', 3, 1, 'Monitor under maintenance')
      beat('15:00:00.000', 1, 1, null)
    })
    const check = only(source)
    const pings = await all(source.pings(check, 0))
    expect(
      pings.map(({ n, kind, receivedAt, body }) => [
        n,
        kind,
        isoMicroseconds(receivedAt).slice(11, 26).replace('+00:00', ''),
        body === null ? null : new TextDecoder().decode(body),
      ]),
    ).toEqual([
      [1, 'success', '10:00:00.125000', null],
      [2, 'success', '11:00:00', '42 files'],
      [5, 'success', '14:00:00.500000', null],
      [6, 'fail', '14:30:00', 'disk full'],
      [8, 'success', '15:00:00', null],
    ])
    const flips = await all(source.flips(check, 0))
    expect(flips.map(({ n, oldStatus, newStatus, reason }) => [n, oldStatus, newStatus, reason])).toEqual([
      [1, 'new', 'up', ''],
      [2, 'up', 'down', 'timeout'],
      [3, 'down', 'up', ''],
      [4, 'up', 'down', 'fail'],
      [5, 'down', 'paused', ''],
      [6, 'paused', 'up', ''],
    ])
    expect(check).toMatchObject({ status: 'up', nPings: 8, nEvents: 6 })
    expect(check.lastPingAt && isoSeconds(check.lastPingAt)).toBe('2026-11-19T15:00:00+00:00')
    expect(await source.countPings()).toBe(5)
    expect((await all(source.pings(check, 5))).map(({ n }) => n)).toEqual([6, 8])
    expect((await all(source.flips(check, 4))).map(({ n }) => n)).toEqual([5, 6])
  })

  test('has the newest pushes, as many as the project keeps, and keeps their numbers when older ones are removed', async () => {
    const source = await filled(
      version,
      (file) => {
        const monitor_id = file.add('monitor', push())
        for (let hour = 10; hour < 20; hour += 1) {
          const time = `2026-11-19 ${hour}:00:00.000`
          file.add('heartbeat', { monitor_id, time, status: 1, important: hour === 10 ? 1 : 0, msg: 'OK' })
        }
      },
      4,
    )
    expect((await all(source.pings(only(source), 0))).map(({ n }) => n)).toEqual([7, 8, 9, 10])
    expect(source.projects[0]?.pingLogLimit).toBe(4)
  })

  test('that is paused is paused, and one that is down is down', async () => {
    const source = await filled(version, (file) => {
      file.add('monitor', push({ active: 0 }))
      const monitor_id = file.add('monitor', push({ name: 'Down', push_token: 'other' }))
      file.add('heartbeat', { monitor_id, time: '2026-11-19 10:00:00', status: 0, important: 1, msg: 'no' })
    })
    expect(source.projects[0]?.checks.map(({ status }) => status)).toEqual(['paused', 'down'])
  })

  test('has its tags, each with its value', async () => {
    const source = await filled(version, (file) => {
      const monitor_id = file.add('monitor', push())
      const add = (name: string, value: string) =>
        file.add('monitor_tag', { monitor_id, tag_id: file.add('tag', { name, color: '#fff' }), value })
      add('prod', '')
      add('on call', 'db team')
      add('prod', '')
    })
    expect(only(source).tags).toBe('prod on-call:db-team')
  })

  test('of which two have the same name has a slug of its own', async () => {
    const source = await filled(version, (file) => {
      for (const push_token of ['one', 'two', 'three']) file.add('monitor', push({ push_token }))
    })
    expect(source.projects[0]?.checks.map(({ slug }) => slug)).toEqual(['backup', 'backup-2', 'backup-3'])
  })

  test('that cannot be taken is named with the reason, and so are monitors that ask themselves', async () => {
    const source = await filled(version, (file) => {
      file.add('monitor', push({ name: 'Reversed', upside_down: 1 }))
      file.add('monitor', push({ name: 'Without', push_token: null }))
      file.add('monitor', push({ name: 'One' }))
      file.add('monitor', push({ name: 'Twin' }))
      for (const name of ['a', 'b']) file.add('monitor', push({ name, type: 'http', push_token: null }))
    })
    expect(source.projects[0]?.checks.map(({ name }) => name)).toEqual(['One'])
    expect(notesOf(source, 'check').filter(([kind]) => kind === 'left-out')).toEqual([
      ['left-out', 'Reversed', 'It is upside down: a push means that it is down.'],
      ['left-out', 'Without', 'It has no push token, so nothing can push to it.'],
      ['left-out', 'Twin', 'Another monitor has the same push token.'],
    ])
    expect(notesOf(source, 'monitor').map(([, name]) => name)).toEqual(['2 of type http'])
    expect(notesOf(source, 'push URL')).toHaveLength(1)
  })

  test('with hostile texts and numbers is still a check', async () => {
    const source = await filled(version, (file) => {
      const monitor_id = file.add(
        'monitor',
        push({ name: `${'😀'.repeat(120)}\u0000`, interval: -5, maxretries: 9e15, created_date: 'yesterday' }),
      )
      file.add('heartbeat', { monitor_id, time: '2026-13-45 99:00:00', status: 1, important: 1, msg: 'OK' })
      file.add('heartbeat', { monitor_id, time: '2026-11-19 10:00:00', status: 7, important: 1, msg: 'OK' })
      file.add('monitor_tag', { monitor_id, tag_id: file.add('tag', { name: 'x'.repeat(600), color: '' }), value: '' })
    })
    const check = only(source)
    expect(check.name).toBe('😀'.repeat(100))
    expect([check.timeoutSeconds, check.graceSeconds, check.tags]).toEqual([60, 31_536_000, ''])
    expect([check.nPings, check.nEvents]).toEqual([0, 0])
    expect(await all(source.pings(check, 0))).toEqual([])
  })
})

test('groups of version 2 are tags, from the outermost on, also when they go round in circles', async () => {
  const source = await filled(2, (file) => {
    const outer = file.add('monitor', push({ name: 'Data Centre', type: 'group', push_token: null }))
    const inner = file.add('monitor', push({ name: 'db', type: 'group', push_token: null, parent: outer }))
    file.add('monitor', push({ parent: inner, description: 'Dumps all.' }))
    file.run(`UPDATE monitor SET parent = ${inner} WHERE id = ${outer}`)
  })
  expect(only(source)).toMatchObject({ tags: 'Data-Centre db', desc: 'Dumps all.' })
})

describe('a notification', () => {
  const withNotifications = (configs: readonly Readonly<Record<string, unknown>>[], active = 1) =>
    filled(2, (file) => {
      const monitor_id = file.add('monitor', push())
      for (const config of configs) {
        const row = { name: `My ${String(config.type)}`, config: JSON.stringify(config), active, user_id: 1 }
        file.add('monitor_notification', { monitor_id, notification_id: file.add('notification', row) })
      }
      file.add('notification', { name: 'of nobody', config: '{"type":"discord"}', user_id: 1 })
    })

  const hook = (host: string) => `https://${host}/hook/secret`
  const mapped: readonly [config: Readonly<Record<string, unknown>>, kind: string, settings: unknown][] = [
    [
      { type: 'discord', discordWebhookUrl: 'https://discordapp.com/api/webhooks/1/x' },
      'discord',
      'https://discord.com/api/webhooks/1/x',
    ],
    [{ type: 'slack', slackwebhookURL: hook('hooks.slack.com') }, 'slack', hook('hooks.slack.com')],
    [{ type: 'mattermost', mattermostWebhookUrl: hook('mm.example.org') }, 'mattermost', hook('mm.example.org')],
    [{ type: 'rocket.chat', rocketwebhookURL: hook('rc.example.org') }, 'rocketchat', hook('rc.example.org')],
    [{ type: 'teams', webhookUrl: hook('teams.example.org') }, 'msteamsw', hook('teams.example.org')],
    [{ type: 'GoogleChat', googleChatWebhookURL: hook('chat.example.org') }, 'googlechat', hook('chat.example.org')],
    [{ type: 'PagerTree', pagertreeIntegrationUrl: hook('pt.example.org') }, 'pagertree', hook('pt.example.org')],
    [
      { type: 'Splunk', splunkRestURL: 'https://alert.example.org/k/', pagerdutyIntegrationKey: 'ops' },
      'victorops',
      'https://alert.example.org/k/ops',
    ],
    [
      { type: 'telegram', telegramBotToken: '1:x', telegramChatID: '-100123', telegramMessageThreadID: '7' },
      'telegram',
      { id: '-100123', thread_id: 7 },
    ],
    [
      { type: 'gotify', gotifyserverurl: 'https://g.example.org', gotifyapplicationToken: 'tok', gotifyPriority: 8 },
      'gotify',
      { url: 'https://g.example.org', token: 'tok', priority: 9, priority_up: 9 },
    ],
    [
      {
        type: 'ntfy',
        ntfyserverurl: 'https://ntfy.sh',
        ntfytopic: 'jobs',
        ntfyPriority: 3,
        ntfyPriorityDown: 5,
        ntfyaccesstoken: 'tk_1',
      },
      'ntfy',
      { url: 'https://ntfy.sh', topic: 'jobs', priority: 5, priority_up: 3, token: 'tk_1' },
    ],
    [{ type: 'pushover', pushoveruserkey: 'ukey', pushoverpriority: '1', pushoverapptoken: 'app' }, 'po', 'ukey|1|1'],
    [{ type: 'pushbullet', pushbulletAccessToken: 'o.token' }, 'pushbullet', 'o.token'],
    [{ type: 'Opsgenie', opsgenieApiKey: 'key', opsgenieRegion: 'EU' }, 'opsgenie', { key: 'key', region: 'eu' }],
    [{ type: 'matrix', internalRoomId: '!room:example.org', accessToken: 't' }, 'matrix', '!room:example.org'],
    [
      {
        type: 'webhook',
        webhookURL: hook('example.org'),
        httpMethod: 'put',
        webhookAdditionalHeaders: '{"X-Token":"1"}',
      },
      'webhook',
      {
        url_down: hook('example.org'),
        url_up: hook('example.org'),
        method_down: 'PUT',
        method_up: 'PUT',
        headers_down: { 'X-Token': '1' },
        headers_up: { 'X-Token': '1' },
      },
    ],
    [{ type: 'apprise', appriseURL: 'json://example.org/x' }, 'apprise', 'json://example.org/x'],
    [{ type: 'twilio', twilioToNumber: '+4912345678' }, 'sms', { value: '+4912345678', down: true, up: true }],
    [{ type: 'smtp', smtpTo: 'Ops <ops@example.org>' }, 'email', { value: 'ops@example.org', down: true, up: true }],
    [{ type: 'signal', signalRecipients: '+4912345678' }, 'signal', { value: '+4912345678', down: true, up: true }],
  ]
  for (const [config, kind, settings] of mapped) {
    test(`of the type ${String(config.type)} is an integration of the kind ${kind} with settings that fit`, async () => {
      const source = await withNotifications([config])
      const [channel, ...others] = source.projects[0]?.channels ?? []
      expect(others).toEqual([])
      expect(channel).toMatchObject({
        kind,
        settings,
        name: `My ${String(config.type)}`,
        disabledReason: null,
      } as object)
      expect(only(source).channelIds).toEqual([channel?.id ?? ''])
      // The settings are secrets, and notes are shown.
      const said = JSON.stringify(source.notes)
      for (const [field, value] of Object.entries(config)) {
        if (field !== 'type' && String(value).length > 3) expect(said).not.toContain(String(value))
      }
    })
  }

  test('with several receivers is as many integrations', async () => {
    const source = await withNotifications([
      { type: 'smtp', smtpTo: 'a@example.org, b@example.org', smtpCC: 'a@example.org', smtpBCC: 'c@example.org' },
    ])
    const channels = source.projects[0]?.channels ?? []
    expect(channels.map(({ name, settings }) => [name, (settings as { value: string }).value])).toEqual([
      ['My smtp 1', 'a@example.org'],
      ['My smtp 2', 'b@example.org'],
      ['My smtp 3', 'c@example.org'],
    ])
    expect(new Set(channels.map(({ id }) => id)).size).toBe(3)
    expect(only(source).channelIds).toHaveLength(3)
  })

  test('that is switched off comes switched off', async () => {
    const source = await withNotifications([{ type: 'pushbullet', pushbulletAccessToken: 'o.token' }], 0)
    expect(source.projects[0]?.channels[0]?.disabledReason).toBe('switched off in Uptime Kuma')
  })

  test('that needs a setting of the operator says which', async () => {
    const source = await withNotifications([{ type: 'telegram', telegramChatID: '5' }])
    expect(notesOf(source, 'setting').map(([kind, name]) => [kind, name])).toEqual([['to-do', 'TELEGRAM_TOKEN']])
  })

  const lost: readonly [config: Readonly<Record<string, unknown>>, reason: RegExp][] = [
    [{ type: 'PagerDuty', pagerdutyIntegrationKey: 'k' }, /Events API v2/],
    [{ type: 'nostr' }, /no integrations of type nostr/],
    [{ type: 'constructor' }, /no integrations of type constructor/],
    [{}, /unnamed/],
    [{ type: 'smtp' }, /no receiver/],
    [{ type: 'telegram', telegramChatID: 'my chat' }, /Its settings are not valid here: in the settings of telegram/],
    [{ type: 'webhook', webhookURL: 'ftp://x', httpMethod: 'post' }, /in the settings of webhook/],
  ]
  for (const [config, reason] of lost) {
    test(`that cannot be taken is named: ${JSON.stringify(config)}`, async () => {
      const source = await withNotifications([config])
      expect(source.projects[0]?.channels).toEqual([])
      const [note] = notesOf(source, 'integration')
      expect(note?.slice(0, 2)).toEqual(['left-out', `My ${String(config.type)}`])
      expect(note?.[2]).toMatch(reason)
    })
  }
})

describe('a file that cannot be taken', () => {
  test('is of another program: it is refused, and nothing in it changes', async () => {
    const file = createKumaFile(path, 1)
    file.run('DROP TABLE monitor')
    file.close()
    const before = readFileSync(path)
    expect(open()).rejects.toMatchObject({
      code: 'import-foreign',
      message: `${path} is not an Uptime Kuma database`,
    })
    await open().catch(() => {})
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('has no push monitors, and is refused', async () => {
    const file = createKumaFile(path, 2)
    file.add('monitor', push({ type: 'http', push_token: null }))
    file.close()
    expect(open()).rejects.toMatchObject({ code: 'import-empty', message: `${path} has no push monitors` })
  })

  test('is refused when it is text, empty, missing or damaged', async () => {
    const codes: unknown[] = []
    const refused = async () =>
      codes.push(
        await open().then(
          () => 'opened',
          ({ code }) => code,
        ),
      )
    await refused()
    writeFileSync(path, '')
    await refused()
    writeFileSync(path, 'type: push\n'.repeat(1_000))
    await refused()
    rmSync(path)
    const file = createKumaFile(path, 2)
    for (let id = 0; id < 100; id += 1) file.add('monitor', push({ push_token: `${id}`.repeat(100) }))
    file.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xaa, 4096, 4096 + 2048))
    await refused()
    expect(codes).toEqual(['import-missing', 'import-empty', 'import-foreign', 'import-damaged'])
  })
})

/** A project with a check of each state, runs, a failure and an email. */
import type { Advice } from '../../../src/domain/advice/advice.ts'
import { packedMinutes } from '../../../src/domain/run/day-minutes.ts'
import { UNWATCHED, ZONE } from '../../../test/support/advice.ts'
import { changeRows, rowsIn } from '../../../test/support/rows.ts'
import type { Served } from '../../../test/support/served.ts'
import { smtpClient } from '../../../test/support/smtp-client.ts'

/** Last parts of the addresses of checks. */
interface Filled {
  readonly up: string
  readonly down: string
  readonly fresh: string
  readonly paused: string
  /** a check that failed with another output than before */
  readonly changed: string
  readonly running: string
  readonly resumed: string
}

const EMAIL = [
  'From: "cron at a host with a long name" <cron@a-host-with-a-long-name-that-does-not-break.example.org>',
  'Subject: =?utf-8?Q?Backup_f=C3=BCr_Montag?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=edge',
  '',
  '--edge',
  'Content-Type: text/plain',
  '',
  `A text with a long word: ${'x'.repeat(200)}`,
  '--edge',
  'Content-Type: text/html',
  '',
  `<h1>A heading</h1><table><tr><td>${'wide '.repeat(20)}</td></tr></table><p>${'y'.repeat(200)}</p>`,
  '--edge--',
  '',
]

/** Seconds ago at which a run is missing, so that it is in the night that is shown. */
const LAST_NIGHT = 20 * 3_600

/** Fills the project `Default`. @param mailPort port at which the server receives emails for `ping.example` */
export async function fill(server: Served, mailPort: number): Promise<Filled> {
  const key = server.logs().match(/API key {2,}(\S+)/)?.[1] ?? ''
  const create = async (name: string, more: object = {}) => {
    const answer = await fetch(`${server.baseUrl}/api/v3/checks/`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: JSON.stringify({ name, ...more }),
    })
    return (await answer.json()) as { uuid: string; ping_url: string; pause_url: string }
  }
  const ping = (url: string, body?: string) => fetch(url, body === undefined ? {} : { method: 'POST', body })
  const up = await create('Up', { schedule: '*/5 * * * *', tz: 'Asia/Kathmandu', desc: 'See https://example.org/wiki' })
  for (let run = 0; run < 8; run++) {
    await ping(`${up.ping_url}/start`)
    await ping(run === 3 ? `${up.ping_url}/2` : up.ping_url, `${run} lines\nwritten`)
  }
  const fresh = await create('New', { tags: 'prod database a-tag-of-one-long-word-that-does-not-break' })
  const down = await create(`Down ${'x'.repeat(90)}`, { schedule: '0 2 * * 1-5', tags: 'prod db x y z' })
  await ping(`${down.ping_url}/fail`, `first line\n${'z'.repeat(300)}\nhost key has changed`)
  const client = await smtpClient(mailPort)
  await client.mail(EMAIL.join('\r\n'), `${down.uuid}@ping.example`)
  client.close()
  await ping(`${down.ping_url}/1`, 'exit')
  const running = await create('Started')
  for (let run = 0; run < 6; run++) for (const end of ['/start', '']) await ping(running.ping_url + end)
  await ping(`${running.ping_url}/start`)
  const resumed = await create('Resumed', { schedule: '0 3 * * 1' })
  await ping(resumed.ping_url)
  for (const action of ['pause', 'resume']) {
    const url = `${server.baseUrl}/api/v3/checks/${resumed.uuid}/${action}`
    await fetch(url, { method: 'POST', headers: { 'X-Api-Key': key } })
  }
  const late = await create('Late', { timeout: 60, grace: 3600 })
  await ping(late.ping_url)
  await passTime(server, late.uuid, 120)
  const changed = await create('Changed')
  const files = Array.from({ length: 40 }, (_, n) => `file ${n}`).join('\n')
  await ping(changed.ping_url, `connected\n${files}\ndone at 12:00`)
  await ping(`${changed.ping_url}/2`, `connected\n${'z'.repeat(300)}\n<b>host key has changed</b>\nexit 2`)
  const missing = await create(`Missing ${'x'.repeat(60)}`, { schedule: '0 * * * *', tz: 'UTC', grace: 60 })
  await ping(missing.ping_url)
  await passTime(server, missing.uuid, LAST_NIGHT)
  const { uuid, pause_url } = await create('')
  await fetch(pause_url, { method: 'POST', headers: { 'X-Api-Key': key } })
  await storeAdvice(server, up.uuid, ZONE)
  await storeDays(server, up.uuid)
  await storeAdvice(server, fresh.uuid, UNWATCHED)
  await storeAdvice(server, down.uuid, { ...ZONE, says: [`Runs at ${'x'.repeat(90)}.`] })
  const idOf = (id: string) => publicIdOf(server, id)
  return {
    up: await idOf(up.uuid),
    down: await idOf(down.uuid),
    fresh: await idOf(fresh.uuid),
    paused: await idOf(uuid),
    changed: await idOf(changed.uuid),
    running: await idOf(running.uuid),
    resumed: await idOf(resumed.uuid),
  }
}

/** Stores an advice as a look would, and keeps the loop from another look. */
export async function storeAdvice({ databaseUrl }: Served, uuid: string, advice: Advice): Promise<void> {
  await changeRows(
    databaseUrl,
    `UPDATE advice SET data = $2, kind = $3, variant = $4, since = 1, look_after = 4000000000000000,
      looked_n = (SELECT n_pings FROM counters WHERE counter_id = (SELECT counter_id FROM checks WHERE id = $1))
      WHERE check_id = $1`,
    [uuid, JSON.stringify([advice]), advice.kind, advice.variant],
  )
}

/** Stores a run on each of the last thirty days, like looks: the rhythm beside an advice. */
async function storeDays({ databaseUrl }: Served, uuid: string): Promise<void> {
  const today = Date.now()
  for (let ago = 30; ago >= 1; ago--) {
    const day = new Date(today - ago * 86_400_000).toISOString().slice(0, 10)
    await changeRows(
      databaseUrl,
      `INSERT INTO check_days (check_id, day, runs, failed, missed, minutes) VALUES ($1, $2, 1, $3, 0, $4)
        ON CONFLICT DO NOTHING`,
      [uuid, day, ago % 7 === 0 ? 1 : 0, packedMinutes([240 + (ago % 5)])],
    )
  }
}

async function passTime({ databaseUrl }: Served, uuid: string, seconds: number): Promise<void> {
  const counter = '(SELECT counter_id FROM checks WHERE id = $1)'
  await changeRows(
    databaseUrl,
    `UPDATE counters SET last_ping_at = last_ping_at - ${seconds}000000 WHERE counter_id = ${counter}`,
    [uuid],
  )
  await changeRows(databaseUrl, `UPDATE pings SET received_at = received_at - ${seconds}000000 WHERE check_id = $1`, [
    uuid,
  ])
  await changeRows(databaseUrl, `UPDATE checks SET created_at = created_at - ${seconds}000000 WHERE id = $1`, [uuid])
}

/** Returns the last part of the address of a check's page. */
export async function publicIdOf({ databaseUrl }: Pick<Served, 'databaseUrl'>, uuid: string): Promise<string> {
  const [row] = await rowsIn<{ public_id: string }>(databaseUrl, 'SELECT public_id FROM checks WHERE id = $1', [uuid])
  return row?.public_id ?? ''
}

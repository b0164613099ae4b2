/** `kill -9` between the last piece of a long body and its ping. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemClock } from '../../src/app/system-clock.ts'
import { UNTIMED } from '../../src/store/sql/steps.ts'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import { folderOnDisk } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/free-port.ts'
import { openUrl } from '../../test/support/open-url.ts'
import { smtpClient } from '../../test/support/smtp-client.ts'
import { client } from '../support/client.ts'
import { integrityProblems } from '../support/kills/snapshot.ts'
import { restartableServer } from '../support/restartable-server.ts'

const DOMAIN = 'ping.example'
/** An email of ten pieces, each in a transaction. */
const EMAIL = `Subject: backup\r\n\r\n${'all files were copied\r\n'.repeat(262_144)}`
const MOST_EMAILS = 20

const folder = folderOnDisk()
const path = folder.file('o.db')
const mailPort = freePort()
const server = restartableServer(`sqlite:${path}`, { SMTPD_PORT: String(mailPort), PING_EMAIL_DOMAIN: DOMAIN })
let check: string

beforeAll(async () => {
  await server.start()
  const c = await client(`sqlite:${path}`, server.baseUrl)
  check = await c.createCheck()
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

test('a kill between the pieces of a body and its ping leaves nothing behind, and the ping was not answered', async () => {
  const before = await killBetween()
  await server.start()
  expect(await mail()).toStartWith('250')
  await server.stop()
  expect(read('SELECT n FROM pings')).toHaveLength(before + 1)
  expect(read('SELECT id FROM long_bodies WHERE check_id IS NULL')).toHaveLength(1)
  const database = await openUrl(`sqlite:${path}`)
  const store = createStore(database, UNTIMED)
  await store.retention.removeExpired(systemClock().add({ hours: 2 }))
  const { body } = (await store.pings.find(check, before + 1)) ?? {}
  await database.close()
  expect(Buffer.from(body ?? []).toString('latin1')).toEndWith(EMAIL)
  expect(read('SELECT id FROM long_bodies WHERE check_id IS NULL')).toEqual([])
  expect(read('SELECT body_id FROM body_pieces WHERE body_id NOT IN (SELECT id FROM long_bodies)')).toEqual([])
  expect(integrityProblems(path)).toEqual([])
}, 120_000)

/** @returns number of emails that were answered before one was hit by the kill */
async function killBetween(): Promise<number> {
  for (let answered = 0; answered < MOST_EMAILS; answered += 1) {
    const answer = mail().catch((error) => String(error))
    if (await stopBetween(answered)) {
      expect(await answer).toContain('the server hung up')
      return answered
    }
    expect(await answer).toStartWith('250')
  }
  throw new Error(`the pings of ${MOST_EMAILS} emails came too soon after their bodies`)
}

const STAGE = `
  SELECT EXISTS (
    SELECT 1 FROM long_bodies
    WHERE check_id IS NULL AND rest_bytes = (SELECT SUM(LENGTH(bytes)) FROM body_pieces WHERE body_id = long_bodies.id)
  ) AS isBetween, (SELECT count(*) FROM pings) AS pings`

/** Kills the server if it can be kept from writing at the right moment. @param answered pings before */
async function stopBetween(answered: number): Promise<boolean> {
  using database = new Database(path)
  for (;;) {
    const { isBetween, pings } = database.query<{ isBetween: number; pings: number }, []>(STAGE).get() ?? {}
    if (pings !== answered) return false
    if (isBetween === 1) {
      database.run('PRAGMA busy_timeout = 1000')
      database.run('BEGIN IMMEDIATE')
      const isStill = database.query<{ isBetween: number }, []>(STAGE).get()?.isBetween === 1
      if (isStill) await server.kill()
      database.run('ROLLBACK')
      return isStill
    }
    await Bun.sleep(0)
  }
}

async function mail(): Promise<string> {
  const smtp = await smtpClient(mailPort)
  const answer = await smtp.mail(EMAIL, `${check}@${DOMAIN}`)
  smtp.close()
  return answer
}

function read(statement: string): unknown[] {
  using database = new Database(path, { readonly: true })
  return database.query(statement).all()
}

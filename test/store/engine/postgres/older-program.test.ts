/**
 * A program of an older version on the database of this one, as while instances are replaced one by one. Its statements were recorded by
 * `test/support/postgres/record-program.ts`. Runs with TEST_ENGINE=postgres.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { databaseAddress } from '../../../../src/config/database-address.ts'
import { PostgresServer } from '../../../../src/store/engine/postgres/connection/server.ts'
import { courierFixture } from '../../../services/courier/courier-fixture.ts'
import { ENGINE } from '../../../support/databases.ts'
import { type Recording, sendAgain } from '../../../support/postgres/recorded-program.ts'
import { changeRows, rowsIn } from '../../../support/rows.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { FORMER_VERSIONS, formerProgram, OLDEST_PROGRAM } from '../../former-models.ts'

/** First number above those of recorded pings. */
const FIRST_OWN_PING = 1_000
/** Seconds after which another program may claim a delivery. */
const CLAIM_SECONDS = 10

if (ENGINE === 'postgres') {
  let t: TestApp
  let server: PostgresServer
  beforeEach(async () => {
    t = await testApp({ isShared: true })
    const address = databaseAddress(t.databaseUrl)
    if (address.engine !== 'postgres') throw new Error(`${t.databaseUrl} is no PostgreSQL`)
    server = new PostgresServer({ address, name: 'older', connections: 4, onFault: () => {} })
    await server.start()
  })
  afterEach(async () => {
    await server.close()
    await t.close()
  })

  const flipsOf = (id: string) =>
    rowsIn(t.databaseUrl, 'SELECT n, new_status AS status, reason FROM events WHERE check_id = $1 ORDER BY n', [id])
  const toldOf = () => t.sent.map(({ body }) => /goes down|stays up|own/.exec(body)?.[0] ?? body)

  test.each(FORMER_VERSIONS.filter((version) => version >= OLDEST_PROGRAM))(
    'the program of version %d works beside this one',
    async (version) => {
      const recording: Recording = await Bun.file(formerProgram(version)).json()
      const { checks, deadline, stages } = recording
      const older = (stage: keyof typeof stages) =>
        server.useAlone((session) => sendAgain(session, recording, stages[stage]))
      const d = courierFixture(t)
      // The recorded project has the name of this one.
      await changeRows(t.databaseUrl, "UPDATE projects SET name = 'New', slug = 'new' WHERE id = $1", [t.project.id])
      await server.useAlone((session) => session.query(`SELECT setval('ping_ids', ${FIRST_OWN_PING})`, []))
      expect(await older('setUp')).toEqual([])
      await d.addChannel()
      const own = await d.addCheck('*', 'own')
      await d.ping(own)
      expect(await older('work')).toEqual([])
      await d.ping(own)

      t.clock.set(deadline)
      expect(await older('judge')).toEqual([])
      await t.app.settle('overdue')
      expect((await flipsOf(checks.down)).at(-1)).toMatchObject({ status: 'down', reason: 'timeout' })
      expect((await flipsOf(own)).at(-1)).toMatchObject({ status: 'down', reason: 'timeout' })

      // The older program has claimed the alert of the other check, and sends it no more.
      expect(await older('claim')).toEqual([])
      await t.app.settle('deliveries')
      expect(toldOf().toSorted()).toEqual(['goes down', 'own'])
      t.clock.advance({ seconds: CLAIM_SECONDS })
      await t.app.settle('deliveries')
      expect(toldOf().toSorted()).toEqual(['goes down', 'own', 'stays up'])

      expect((await t.call('GET', `/ping/${checks.down}`)).status).toBe(200)
      expect((await flipsOf(checks.down)).at(-1)).toMatchObject({ status: 'up' })
      expect(await older('upkeep')).toEqual([])
      await t.app.settle('retention')
      await t.app.settle('search')
    },
  )
}

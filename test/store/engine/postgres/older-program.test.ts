/**
 * A program of an older version on the database of this one, as while instances are replaced one by one. Its statements were recorded by
 * `test/support/postgres/record-program.ts`. Runs with TEST_ENGINE=postgres.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { databaseAddress } from '../../../../src/config/database-address.ts'
import { toMicroseconds } from '../../../../src/lib/time.ts'
import { PostgresServer } from '../../../../src/store/engine/postgres/connection/server.ts'
import { desk } from '../../../services/courier/courier-desk.ts'
import { ENGINE } from '../../../support/databases.ts'
import { type Recording, sendAgain } from '../../../support/postgres/recorded-program.ts'
import { changeRows, rowsIn } from '../../../support/rows.ts'
import { aMember, anAccount, anAuthor } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { FORMER_VERSIONS, formerProgram, OLDEST_PROGRAM } from '../../former-models.ts'

/** The numbers of recorded pings are below. */
const FIRST_OWN_PING = 1_000
/** Then another program may take a delivery. */
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
      const d = desk(t)
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

  test('a program of version 13 and this one use the same links, challenges, codes, invitations and offers', async () => {
    const run = (text: string, values: readonly (string | number | null)[]) =>
      server.useAlone(async (session) => [...(await session.query(text, values))])
    const { store, now } = t.app.deps
    const [ann, bob] = [anAccount({ email: 'ann@example.org' }), anAccount({ email: 'bob@example.org' })]
    const by = () => store.by(anAuthor())
    for (const account of [ann, bob]) {
      await by().accounts.create(account)
      await by().team.setMember(aMember(account, t.project, account === ann ? 'owner' : 'member'))
    }
    const soon = now().add({ hours: 1 })
    const expiresAt = toMicroseconds(soon)

    await run(
      'INSERT INTO one_time_links (lookup, purpose, account_id, expires_at, email) VALUES ($1, $2, $3, $4, $5)',
      ['old link', 'password', ann.id, expiresAt, null],
    )
    await run('INSERT INTO challenges (lookup, kind, account_id, data, expires_at) VALUES ($1, $2, $3, $4, $5)', [
      'old challenge',
      'totp',
      ann.id,
      '{}',
      expiresAt,
    ])
    await run('INSERT INTO recovery_codes (lookup, account_id) VALUES ($1, $2)', ['old code', ann.id])
    await run(
      `INSERT INTO invitations (lookup, project_id, email, role, invited_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      ['old invitation', t.project.id, null, 'member', ann.id, 0, expiresAt],
    )
    const offer = `
      INSERT INTO ownership_offers (project_id, from_id, to_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (project_id) DO UPDATE SET from_id = excluded.from_id, to_id = excluded.to_id,
        created_at = excluded.created_at, expires_at = excluded.expires_at`
    await run(offer, [t.project.id, bob.id, ann.id, 0, expiresAt])
    await run(offer, [t.project.id, ann.id, bob.id, 0, expiresAt])
    expect(await store.tokens.find('old link', 'password')).toMatchObject({ accountId: ann.id, expiresAt: soon })
    expect(await store.tokens.find('old challenge', 'totp')).toMatchObject({ accountId: ann.id, data: '{}' })
    expect(await store.secondFactors.countRecoveryCodes(ann.id)).toBe(1)
    expect((await store.invitations.find('old invitation', now()))?.invitation.invitedBy?.id).toBe(ann.id)
    expect(await store.offers.find(t.project.id, now())).toMatchObject({ fromId: ann.id, toId: bob.id })

    const link = { lookup: 'new link', purpose: 'sign-in', accountId: ann.id, email: null, expiresAt: soon } as const
    await store.tokens.create(link)
    await store.tokens.create({
      lookup: 'new challenge',
      purpose: 'oidc',
      accountId: null,
      data: '{}',
      expiresAt: soon,
    })
    const invitation = { lookup: 'new invitation', projectId: t.project.id, email: null, role: 'member' } as const
    await by().invitations.create({ ...invitation, invitedBy: null, createdAt: now(), expiresAt: soon })
    const found = async (table: string) =>
      (await run(`SELECT lookup FROM ${table} ORDER BY 1`, [])).map(({ lookup }) => lookup)
    expect(await found('one_time_links')).toEqual(['new link', 'old link'])
    expect(await found('challenges')).toEqual(['new challenge', 'old challenge'])
    expect(await found('invitations')).toEqual(['new invitation', 'old invitation'])
    for (const table of ['one_time_links', 'challenges', 'recovery_codes']) {
      await run(`DELETE FROM ${table} WHERE account_id = $1`, [ann.id])
    }
    await run('DELETE FROM ownership_offers WHERE project_id = $1', [t.project.id])
    const left = await rowsIn<{ lookup: string }>(t.databaseUrl, 'SELECT lookup FROM tokens ORDER BY lookup')
    expect(left.map(({ lookup }) => lookup)).toEqual(['new challenge', 'new invitation', 'old invitation'])
  })
}

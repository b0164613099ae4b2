/** The shipped load balancer (deploy/two-instances/haproxy.cfg) before two instances, of which one is stopped under load. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { startDatabase } from '../postgres/support/database.ts'
import { eventually } from '../support/eventually.ts'
import { restartableServer } from '../support/restartable-server.ts'
import { SEED } from '../support/seed.ts'
import { fill } from './support/filled.ts'
import { startLoad } from './support/load.ts'
import { balancerFile } from './support/shipped-balancer.ts'
import { judge, report, untilNothingIsPending, type Verdict } from './support/verdict.ts'

const CHECKS = 200
const PINGS_PER_SECOND = 100
const BEFORE_MS = 1_000
const AFTER_MS = 1_000
/** Value of deploy/two-instances/compose.yaml. */
const DRAIN_SECONDS = '5'

describe.skipIf(Bun.which('haproxy') === null)('HAProxy (skipped where haproxy is not installed)', () => {
  const ends: (() => unknown)[] = []
  const answers = new Set<string>()
  let verdict: Verdict

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'overdue-haproxy-'))
    ends.push(() => rmSync(folder, { recursive: true }))
    const database = await startDatabase()
    ends.push(() => database.cluster.remove())
    const front = freePort()
    const baseUrl = `http://127.0.0.1:${front}`
    const instances = ['a', 'b'].map((name) =>
      restartableServer(database.url, { INSTANCE_NAME: name, DRAIN_SECONDS, SITE_ROOT: baseUrl }),
    )
    for (const instance of instances) await instance.start()
    ends.push(() => Promise.all(instances.map((instance) => instance.stop())))
    const file = join(folder, 'haproxy.cfg')
    await Bun.write(
      file,
      balancerFile(
        front,
        instances.map((instance) => new URL(instance.baseUrl).port),
      ),
    )
    const balancer = Bun.spawn(['haproxy', '-db', '-f', file], { stdout: 'ignore', stderr: 'ignore' })
    ends.push(async () => {
      balancer.kill()
      await balancer.exited
    })
    await eventually('the balancer answers', () =>
      fetch(`${baseUrl}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const filled = await fill(database, 'app', baseUrl, CHECKS)
    ends.push(() => filled.close())
    const random = new SeededRandom(SEED)
    const load = startLoad({ checks: filled.checks, perSecond: PINGS_PER_SECOND, random, to: () => baseUrl })
    ends.push(() => load.stop())
    await Bun.sleep(BEFORE_MS)
    await instances[0]?.stop()
    await Bun.sleep(AFTER_MS)
    await load.stop()
    await untilNothingIsPending(filled, 0)
    for (const { answer } of load.sent) answers.add(answer)
    verdict = await judge(filled, load.sent)
    report('one of two instances behind HAProxy is stopped under load', verdict.figures)
  }, 120_000)

  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  test('every ping is acknowledged, and none is lost', () => {
    expect([...answers]).toEqual(['200 OK'])
    expect(verdict.violations.pings).toEqual([])
  })
})

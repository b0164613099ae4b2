import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { getCheck } from '../../../src/services/checks/checks.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { createPingReceiver, findPingBody, type ListedPing, listPings } from '../../../src/services/pings/pings.ts'
import { setPingLogLimit } from '../../../src/services/projects/projects.ts'
import type { Arrival } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { anAuthor, aSignal, bytes, rejection } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp()
  const json = { name: 'Job', timeout: 86_400 * 7, grace: 86_400 * 7 }
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
})
afterEach(() => t.close())

const ping = async (path = '', body?: string) => {
  const answer = await t.call('POST', `/ping/${id}${path}`, body === undefined ? {} : { body })
  expect(await answer.text()).toBe('OK')
}
const found = async (): Promise<Check> => (await getCheck(t.app.deps, t.actor, id)).check
const listed = async (actor = t.actor): Promise<ListedPing[]> => listPings(t.app.deps, actor, await found())
/** Returns the seconds of the run that each ping ended, oldest first. */
const durations = async () =>
  (await listed()).toReversed().map(({ duration }) => (duration === null ? null : duration / 1_000_000))

describe('the duration of a run', () => {
  const RUN_A = '11111111-1111-4111-8111-111111111111'
  const RUN_B = '22222222-2222-4222-8222-222222222222'

  test('is shown at the success or failure that ended it, and nowhere else', async () => {
    await ping('/start')
    t.clock.advance({ milliseconds: 1500 })
    await ping('/log')
    await ping()
    await ping()
    await ping('/start')
    t.clock.advance({ seconds: 2 })
    await ping('/fail')
    expect(await durations()).toEqual([null, null, 1.5, null, null, 2])
  })

  test('goes by the run id, so that runs may overlap', async () => {
    await ping(`/start?rid=${RUN_A}`)
    t.clock.advance({ seconds: 1 })
    await ping(`/start?rid=${RUN_B}`)
    t.clock.advance({ seconds: 1 })
    await ping(`?rid=${RUN_A}`)
    t.clock.advance({ seconds: 1 })
    await ping(`?rid=${RUN_B}`)
    await ping()
    expect(await durations()).toEqual([null, null, 2, 2, null])
  })

  test('is not shown from 72 hours on', async () => {
    await ping('/start')
    t.clock.advance({ hours: 71, minutes: 59, seconds: 59 })
    await ping()
    await ping('/start')
    t.clock.advance({ hours: 72 })
    await ping()
    expect(await durations()).toEqual([null, 72 * 3600 - 1, null, null])
  })

  test('is known even if the start is outside the page', async () => {
    const actor = operatorIn(await setPingLogLimit(t.app.deps, t.actor, 2))
    await ping('/start')
    t.clock.advance({ seconds: 7 })
    await ping('/log')
    await ping()
    const page = await listed(actor)
    expect(page.map(({ n, duration }) => [n, duration])).toEqual([
      [3, 7_000_000],
      [2, null],
    ])
  })
})

describe('the list of pings', () => {
  test('is as long as the log limit, even if more is stored', async () => {
    const actor = operatorIn(await setPingLogLimit(t.app.deps, t.actor, 3))
    for (let n = 1; n <= 5; n += 1) await ping()
    expect((await listed(actor)).map(({ n }) => n)).toEqual([5, 4, 3])
    expect(await t.app.deps.store.pings.list(id, 100)).toHaveLength(5)
  })

  test('is as long even if pings arrive between reading the check and reading its log', async () => {
    const actor = operatorIn(await setPingLogLimit(t.app.deps, t.actor, 3))
    for (let n = 1; n <= 3; n += 1) await ping()
    const early = await found()
    for (let n = 4; n <= 5; n += 1) await ping()
    expect((await listPings(t.app.deps, actor, early)).map(({ n }) => n)).toEqual([5, 4, 3])
  })
})

describe('the body of a ping', () => {
  const body = async (n: number, actor = t.actor) => findPingBody(t.app.deps, actor, await found(), n)

  test('comes back byte for byte', async () => {
    await ping('', 'übung \u0000 1')
    expect(await body(1)).toEqual(bytes('übung \u0000 1'))
  })

  test('is null when the ping had none or does not exist', async () => {
    await ping()
    for (const n of [0, 1, 2]) expect(await body(n)).toBeNull()
  })

  test('is not shown beyond the log limit, even if it is stored', async () => {
    const actor = operatorIn(await setPingLogLimit(t.app.deps, t.actor, 2))
    for (let n = 1; n <= 4; n += 1) await ping('', `body ${n}`)
    expect(await Promise.all([1, 2, 3, 4].map((n) => body(n, actor)))).toEqual([
      null,
      null,
      bytes('body 3'),
      bytes('body 4'),
    ])
    expect((await t.app.deps.store.pings.find(id, 2))?.body).toEqual(bytes('body 2'))
  })
})

describe('receiving', () => {
  const target = () => ({ kind: 'id', id }) as const
  /** Returns a receiver, and the number of pings in each of its transactions. */
  const counted = () => {
    const batches: number[] = []
    const { store } = t.app.deps
    const counting: typeof store = replaced(store, {
      pings: {
        commit: (arrivals, rules) => {
          batches.push(arrivals.length)
          return store.pings.commit(arrivals, rules)
        },
      },
    })
    return { receiver: createPingReceiver({ ...t.app.deps, store: counting }), batches }
  }

  test('commits pings that arrive together in one transaction, each with its own time', async () => {
    const { receiver, batches } = counted()
    const receive = () => receiver.receive(target(), aSignal())
    const early = receive()
    t.clock.advance({ seconds: 1 })
    expect(await Promise.all([early, receive(), receive()])).toEqual(['ok', 'ok', 'ok'])
    expect(batches).toEqual([3])
    const present = t.clock.now()
    const ages = (await listed()).map(({ receivedAt }) => receivedAt.until(present).total('seconds'))
    expect(ages).toEqual([0, 0, 1])
  })

  test('commits no more of long bodies in one transaction than one request may bring', async () => {
    const { receiver, batches } = counted()
    const body = new Uint8Array(1_000_000)
    await Promise.all([1, 2, 3, 4].map(() => receiver.receive(target(), aSignal({ body }))))
    expect(batches).toEqual([2, 2])
  })

  test('commits other pings between the pieces of a long body', async () => {
    const log: string[] = []
    const { deps } = t.app
    const receiver = createPingReceiver(deps)
    const beginning = bytes('the beginning,')
    const pieces = [' piece 1,', ' piece 2,', ' piece 3'].map(bytes)
    const long = receiver.receive(target(), aSignal({ body: beginning }), pieces).then(() => log.push('long'))
    const others = ['a', 'b'].map((other) => receiver.receive(target(), aSignal()).then(() => log.push(other)))
    await Promise.all([long, ...others])
    expect(log).toEqual(['a', 'b', 'long'])
    expect(await findPingBody(deps, t.actor, await found(), 3)).toEqual(
      bytes('the beginning, piece 1, piece 2, piece 3'),
    )
  })

  test('a ping whose pieces are gone is refused, and the others of its batch are not', async () => {
    const { store } = t.app.deps
    const forgetting: typeof store = replaced(store, {
      pings: {
        keepRest: async (...given) => {
          const rest = await store.pings.keepRest(...given)
          await store.pings.dropRest(rest.id)
          return rest
        },
      },
    })
    const receiver = createPingReceiver({ ...t.app.deps, store: forgetting })
    const long = receiver.receive(target(), aSignal({ body: bytes('begin') }), [bytes('rest')])
    const failing = rejection(long)
    await Promise.all([failing, receiver.receive(target(), aSignal())])
    expect(await failing).toHaveProperty('message', 'pieces of the body of a ping are missing')
    expect(await listed()).toHaveLength(1)
  })

  test.each([
    ['that fails', new Refusal('overloaded', 'the server is overloaded')],
    ['that finds no check', { outcomes: ['not-found' as const], owed: false, prunable: false }],
  ])('a commit %s leaves no pieces of a long body', async (_, result) => {
    const { store } = t.app.deps
    const arrivals: Arrival[] = []
    const refusing: typeof store = replaced(store, {
      pings: {
        commit: async (given) => {
          arrivals.push(...given)
          if (result instanceof Refusal) throw result
          return result
        },
      },
    })
    const receiver = createPingReceiver({ ...t.app.deps, store: refusing })
    await receiver.receive(target(), aSignal({ body: bytes('begin') }), [bytes('rest')]).catch(() => {})
    await expect(store.pings.commit(arrivals, rules(t.app.deps))).rejects.toThrow('are missing')
  })

  test('drains pings whose pieces are being written', async () => {
    const receiver = createPingReceiver(t.app.deps)
    const receiving = receiver.receive(target(), aSignal({ body: bytes('begin') }), [bytes('rest')])
    await receiver.drain()
    expect(await listed()).toHaveLength(1)
    await receiving
  })

  test('calls onDeliveriesCreated only after a commit that wrote deliveries', async () => {
    const { deps } = t.app
    let calls = 0
    const onDeliveriesCreated = () => {
      calls += 1
    }
    const receiver = createPingReceiver({ ...deps, onDeliveriesCreated })
    await receiver.receive(target(), aSignal({ action: 'fail' }))
    expect(calls).toBe(0)
    await t.app.deps.store.by(anAuthor()).channels.create({
      id: crypto.randomUUID(),
      projectId: t.project.id,
      name: '',
      kind: 'slack',
      settings: {},
      createdAt: t.clock.now(),
      disabledReason: null,
      lastError: null,
      host: '',
      awaitsConfirmation: false,
      quietHours: null,
    })
    await t.call('POST', `/api/v3/checks/${id}`, { key: t.keys.apiKey, json: { channels: '*' } })
    await receiver.receive(target(), aSignal())
    expect(calls).toBe(1)
    await receiver.receive(target(), aSignal())
    expect(calls).toBe(1)
  })

  test('one ping that cannot be committed does not affect the others', async () => {
    const { store } = t.app.deps
    const poisoned: typeof store = replaced(store, {
      pings: {
        commit: (arrivals, rules) => {
          if (arrivals.some(({ signal }) => signal?.ua === 'poison')) throw new Error('poison')
          return store.pings.commit(arrivals, rules)
        },
      },
    })
    const receiver = createPingReceiver({ ...t.app.deps, store: poisoned })
    const neighbours = [receiver.receive(target(), aSignal()), receiver.receive(target(), aSignal())]
    const failing = rejection(receiver.receive(target(), aSignal({ ua: 'poison' })))
    expect(await Promise.all(neighbours)).toEqual(['ok', 'ok'])
    expect(await failing).toHaveProperty('message', 'poison')
    await receiver.drain()
    expect(await listed()).toHaveLength(2)
  })
})

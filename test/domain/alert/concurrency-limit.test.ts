import { describe, expect, test } from 'bun:test'
import { admitted, CONCURRENCY_LIMIT, type Recipient } from '../../../src/domain/alert/concurrency-limit.ts'

const recipient = (name: string, host = `${name}.example`): Recipient => ({ channelId: name, host })
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const neverServed = () => 0
const grant = (
  due: readonly Recipient[],
  underWay: readonly Recipient[] = [],
  lastServed: (id: string) => number = neverServed,
) => admitted(due, underWay, lastServed)

describe('a channel', () => {
  test('gets one delivery', () => {
    expect(grant([recipient('a')])).toEqual(['a'])
  })

  test('with a delivery under way gets no other', () => {
    expect(grant([recipient('a'), recipient('b')], [recipient('a')])).toEqual(['b'])
  })
})

describe('the channels of one host', () => {
  const HOST = 'one.example'

  test('get no more deliveries together than their host allows, including those under way', () => {
    const due = names(CONCURRENCY_LIMIT.perHost + 4, 'c').map((name) => recipient(name, HOST))
    expect(grant(due)).toEqual(names(CONCURRENCY_LIMIT.perHost, 'c'))
    const underWay = names(3, 'other').map((name) => recipient(name, HOST))
    expect(grant(due, underWay)).toHaveLength(CONCURRENCY_LIMIT.perHost - 3)
  })

  test('come first when they were served longer ago, so that all are served', () => {
    const due = names(CONCURRENCY_LIMIT.perHost + 4, 'c').map((name) => recipient(name, HOST))
    const turns = new Map<string, number>()
    const served = new Set<string>()
    let turn = 0
    for (let round = 0; round < 2; round += 1) {
      for (const name of grant(due, [], (id) => turns.get(id) ?? 0)) {
        turn += 1
        turns.set(name, turn)
        served.add(name)
      }
    }
    expect(served.size).toBe(due.length)
  })

  test('that is at its limit wait, those of other hosts do not', () => {
    const underWay = names(CONCURRENCY_LIMIT.perHost, 'sick').map((name) => recipient(name, HOST))
    expect(grant([recipient('waits', HOST), recipient('goes')], underWay)).toEqual(['goes'])
  })
})

describe('all together', () => {
  test('get the due deliveries in the given order', () => {
    const due = names(200, 'c').map((name) => recipient(name))
    expect(grant(due)).toEqual(names(CONCURRENCY_LIMIT.total, 'c'))
    expect(grant(due, [recipient('d'), recipient('e')])).toHaveLength(CONCURRENCY_LIMIT.total - 2)
  })

  test('never exceed the limits, whatever is due and under way', () => {
    let underWay: Recipient[] = []
    const due = names(400, 'c').map((name, index) => recipient(name, `h${index % 11}`))
    const seatOf = new Map(due.map((channel) => [channel.channelId, channel]))
    const most = (field: keyof Recipient) =>
      Math.max(
        ...Map.groupBy(underWay, (one) => one[field])
          .values()
          .map(({ length }) => length),
      )
    for (let round = 0; round < 20; round += 1) {
      underWay = underWay.filter((_, index) => (index * 7 + round) % 3 !== 0)
      for (const name of grant(due, underWay)) underWay.push(seatOf.get(name) ?? recipient(name))
      expect(most('channelId')).toBe(1)
      expect(most('host')).toBeLessThanOrEqual(CONCURRENCY_LIMIT.perHost)
      expect(underWay).toHaveLength(CONCURRENCY_LIMIT.total)
    }
  })
})

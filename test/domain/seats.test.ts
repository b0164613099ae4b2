import { describe, expect, test } from 'bun:test'
import { grantSeats, SEATS, type Seat } from '../../src/domain/seats.ts'

const seat = (name: string, host = `${name}.example`): Seat => ({ channelId: name, host })
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const noTurns = () => 0
const grant = (due: readonly Seat[], taken: readonly Seat[] = [], lastTurn: (id: string) => number = noTurns) =>
  grantSeats(due, taken, lastTurn)

describe('a channel', () => {
  test('gets one seat', () => {
    expect(grant([seat('a')])).toEqual(['a'])
  })

  test('that has its seat gets no other', () => {
    expect(grant([seat('a'), seat('b')], [seat('a')])).toEqual(['b'])
  })
})

describe('the channels of one host', () => {
  const HOST = 'one.example'

  test('together get no more seats than the host has, the taken ones counted', () => {
    const due = names(SEATS.perHost + 4, 'c').map((name) => seat(name, HOST))
    expect(grant(due)).toEqual(names(SEATS.perHost, 'c'))
    const taken = names(3, 'other').map((name) => seat(name, HOST))
    expect(grant(due, taken)).toHaveLength(SEATS.perHost - 3)
  })

  test('come before each other when their last turn is longer ago, so that all come round', () => {
    const due = names(SEATS.perHost + 4, 'c').map((name) => seat(name, HOST))
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

  test('that is full wait, and those of another host do not', () => {
    const taken = names(SEATS.perHost, 'sick').map((name) => seat(name, HOST))
    expect(grant([seat('waits', HOST), seat('goes')], taken)).toEqual(['goes'])
  })
})

describe('all together', () => {
  test('get the seats there are, in the order given', () => {
    const due = names(200, 'c').map((name) => seat(name))
    expect(grant(due)).toEqual(names(SEATS.total, 'c'))
    expect(grant(due, [seat('d'), seat('e')])).toHaveLength(SEATS.total - 2)
  })

  test('never have more than the limits, whatever is due and taken', () => {
    let taken: Seat[] = []
    const due = names(400, 'c').map((name, index) => seat(name, `h${index % 11}`))
    const seatOf = new Map(due.map((channel) => [channel.channelId, channel]))
    const most = (field: keyof Seat) =>
      Math.max(
        ...Map.groupBy(taken, (one) => one[field])
          .values()
          .map(({ length }) => length),
      )
    for (let round = 0; round < 20; round += 1) {
      taken = taken.filter((_, index) => (index * 7 + round) % 3 !== 0)
      for (const name of grant(due, taken)) taken.push(seatOf.get(name) ?? seat(name))
      expect(most('channelId')).toBe(1)
      expect(most('host')).toBeLessThanOrEqual(SEATS.perHost)
      expect(taken).toHaveLength(SEATS.total)
    }
  })
})

import { describe, expect, test } from 'bun:test'
import { type DueChannel, grantSeats, SEATS, type Seat } from '../../src/domain/seats.ts'

const seat = (name: string, host = `${name}.example`): Seat => ({ channelId: name, host })
const queue = (name: string, due = 1, host?: string): DueChannel => ({ ...seat(name, host), due })
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const times = (count: number, of: Seat) => Array.from({ length: count }, () => of)
const noTurns = () => 0
const grant = (due: readonly DueChannel[], taken: readonly Seat[] = [], lastTurn: (id: string) => number = noTurns) =>
  grantSeats(due, taken, lastTurn)
const count = (granted: readonly string[], name: string) => granted.filter((id) => id === name).length

describe('a channel', () => {
  test('gets a seat for each delivery that is due, up to its own limit', () => {
    expect(grant([queue('a', 2)])).toEqual(['a', 'a'])
    expect(grant([queue('a', 100_000)])).toHaveLength(SEATS.perChannel)
  })

  test.each([0, 1, 2, 3, 4])('with %d seats taken gets exactly the others', (taken) => {
    expect(grant([queue('a', 9)], times(taken, seat('a')))).toHaveLength(SEATS.perChannel - taken)
  })

  test('with a long queue does not keep another from its seat', () => {
    expect(grant([queue('long', 9), queue('short')]).toSorted()).toEqual(['long', 'long', 'long', 'long', 'short'])
  })
})

describe('the channels of one host', () => {
  const HOST = 'one.example'

  test('together get no more seats than the host has, the taken ones counted', () => {
    const due = names(10, 'c').map((name) => queue(name, 9, HOST))
    expect(grant(due)).toHaveLength(SEATS.perHost)
    const taken = times(3, seat('elsewhere', HOST))
    expect(grant(due, taken)).toHaveLength(SEATS.perHost - 3)
  })

  test('have one seat each before any has a second', () => {
    const due = names(SEATS.perHost, 'c').map((name) => queue(name, 9, HOST))
    expect(grant(due).toSorted()).toEqual(names(SEATS.perHost, 'c').toSorted())
  })

  test('come before each other when their last turn is longer ago, so that all come round', () => {
    const due = names(SEATS.perHost + 4, 'c').map((name) => queue(name, 100_000, HOST))
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
    expect(grant([queue('waits', 5, HOST), queue('goes')], taken)).toEqual(['goes'])
  })
})

describe('all together', () => {
  test('get the seats there are, those with none before those with one, else in the order given', () => {
    const due = names(200, 'c').map((name) => queue(name))
    expect(grant(due)).toEqual(names(SEATS.total, 'c'))
    expect(grant([queue('has', 3), queue('has none')], [seat('has')])[0]).toBe('has none')
  })

  test('leave seats to newcomers, however many have long queues', () => {
    const due = names(40, 'long').map((name) => queue(name, 9))
    const granted = grant(due)
    expect(granted.length).toBeLessThan(SEATS.total - 32)
    const taken = granted.map((name) => seat(name))
    expect(grant(due, taken)).toEqual([])
    expect(grant([...due, ...names(30, 'new').map((name) => queue(name))], taken)).toEqual(names(30, 'new'))
  })

  test('never have more than the limits, whatever is due and taken', () => {
    let taken: Seat[] = []
    const due = names(60, 'c').map((name, index) => queue(name, 1 + (index % 9), `h${index % 7}`))
    const seatOf = new Map(due.map((channel) => [channel.channelId, channel]))
    for (let round = 0; round < 20; round += 1) {
      taken = taken.filter((_, index) => (index * 7 + round) % 3 !== 0)
      for (const name of grant(due, taken)) taken.push(seatOf.get(name) ?? seat(name))
      const hosts = new Set(taken.map(({ host }) => host))
      for (const { channelId } of taken) {
        expect(
          count(
            taken.map((one) => one.channelId),
            channelId,
          ),
        ).toBeLessThanOrEqual(SEATS.perChannel)
      }
      for (const host of hosts) {
        expect(
          count(
            taken.map((one) => one.host),
            host,
          ),
        ).toBeLessThanOrEqual(SEATS.perHost)
      }
      expect(taken.length).toBeLessThanOrEqual(SEATS.total)
    }
    expect(taken.length).toBeGreaterThan(32)
  })
})

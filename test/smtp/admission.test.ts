/** SMTP connections that are accepted. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Admission } from '../../src/smtp/admission.ts'

let sentAway: string[]
let admission: Admission
beforeEach(() => {
  sentAway = []
  admission = new Admission({ connectionsOfClient: 2, identifyWithinMs: 60_000 }, (id) => sentAway.push(id))
})
afterEach(() => {
  admission.leave('new')
})

const enter = (remoteAddress: string, ...others: readonly string[]) =>
  admission.enter(
    { id: 'new', remoteAddress },
    [remoteAddress, ...others].map((it) => ({ remoteAddress: it })),
  )

describe('a client', () => {
  test.each([
    ['is the only one', '192.0.2.1', []],
    ['has as many connections as it may', '192.0.2.1', ['192.0.2.1']],
    ['has others beside it', '192.0.2.1', ['192.0.2.2', '192.0.2.3', '2001:db8::1']],
    ['has others in its neighbourhood', '2001:db8:0:1::1', ['2001:db8:0:2::1', '2001:db8:0:3::1']],
    ['has no address', '', ['', '']],
  ])('is accepted when it %s', (_, client, others) => {
    expect(enter(client, ...others)).toBeNull()
  })

  test.each([
    ['from one address', '192.0.2.1', ['192.0.2.1', '192.0.2.1']],
    ['from addresses of one network of IPv6', '2001:db8::1', ['2001:db8::2', '2001:db8:0:0:ffff::']],
    ['from one address in two spellings', '192.0.2.1', ['::ffff:192.0.2.1', '192.0.2.1']],
  ])('is rejected when it has more, %s', (_, client, others) => {
    expect(enter(client, ...others)).toMatchObject({
      responseCode: 421,
      message: 'too many connections from your address',
    })
  })
})

describe('an unidentified client', () => {
  /** Waits for a timer. Timers fire in order, so a later one for the same time shows that it is over. */
  const afterIts = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  beforeEach(() => {
    admission = new Admission({ connectionsOfClient: 2, identifyWithinMs: 1 }, (id) => sentAway.push(id))
  })

  test('that names no check is disconnected', async () => {
    enter('192.0.2.1')
    await afterIts(1)
    expect(sentAway).toEqual(['new'])
  })

  test('that has named one stays, and one that has left is forgotten', async () => {
    enter('192.0.2.1')
    admission.identified('new')
    admission.enter({ id: 'other', remoteAddress: '192.0.2.2' }, [])
    admission.leave('other')
    await afterIts(1)
    expect(sentAway).toEqual([])
  })
})
